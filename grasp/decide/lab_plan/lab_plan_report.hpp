#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/lab_plan/lab_plan.hpp"
#include "grasp/decide/lab_plan/run_sheet.hpp"

namespace graspmap {

/// The plan in words. Its search has found a number of trials.
std::string lab_plan_text(const LabPlan& plan);

/// lab_plan.json; docs/reference/formats.md says what is in it.
Object lab_plan_fields(const LabPlan& plan);

/// One line: why no number of trials reaches the goal.
std::string unreachable_text(const LabPlan& plan);

/// The goal and the number of trials, for the sheet's head and page.
std::string lab_plan_sentence(const LabPlan& plan);

/// lab_power: power against the number of trials. lab_placements: the map with the placements, and
/// what a trial tells where.
std::vector<Figure> lab_plan_figures(const LabPlan& plan, const SweepConfig& config);

}  // namespace graspmap
