#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "lab/stepper_study/stepper_study.hpp"

namespace graspmap {

/// "stewart-trinkle, 32-gons": a setting without its step.
std::string family_name(const StepperSetting& setting);

/// The work-precision table, and in words where explicit geometry gives the wrong grasp.
std::string stepper_study_text(const StepperStudy& study);

/// One row a setting.
std::string stepper_study_csv(const StepperStudy& study);

/// One row a trial and setting that gives another outcome than the robust reference.
std::string wrong_grasps_csv(const StepperStudy& study);

std::string stepper_study_json(const StepperStudy& study);

/// Work against precision, and where on the map the wrong grasps are.
std::vector<Figure> stepper_study_figures(const StepperStudy& study);

}  // namespace graspmap
