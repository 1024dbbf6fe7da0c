#pragma once

#include <string>
#include <vector>

#include "grasp/trial.hpp"

namespace graspmap {

/// trials.csv: one row per trial, in the order of the indices. Columns:
/// index,cell_x,cell_y,x_mm,y_mm,
/// theta_rad,mu_jaw,mu_support,outcome,end_time_s,part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,
/// jaw_left_x_mm,steps,worst_residual. Numbers have the fewest digits that read back the same
/// double.
std::string trials_csv(const std::vector<TrialRow>& rows);

}  // namespace graspmap
