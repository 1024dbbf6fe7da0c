#pragma once

#include <string>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"

namespace graspmap {

/// The posterior of a calibration: a row for each two parameters (those of a coefficient together),
/// of their histograms, with the prior's density and the interval, and of the draws of both.
/// laws.gp draws laws.png and laws.svg from laws.csv, all in one folder. `title` is any text.
Figure posterior_figure(const Calibration& calibration, const std::string& title,
                        double confidence);

}  // namespace graspmap
