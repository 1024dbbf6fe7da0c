#pragma once

#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// A picture (SVG) of the part as it lies at the start, with crosses where the gripper goes: its
/// origin, between the fingertips. Axes begin at the part's origin. The first placement is shown
/// with the gripper, opened, and its x and y. Placements are numbered when there are few.
std::string part_picture(const Scenario& scenario, const std::vector<IntendedPlacement>& places);

}  // namespace graspmap
