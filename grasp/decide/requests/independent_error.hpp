#pragma once

#include <array>
#include <optional>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Throws RequestError, with the key or option, where an error is not independent about 0 in each
/// coordinate, which `who` cannot take. `by_options`: the options say it, not the run's [robot].
void check_independent(const RobotError& error, bool by_options, const char* who);

/// Whether errors of x (mm), y (mm) and theta (rad) are independent, each normal or uniform about
/// 0, or exact.
bool is_independent(const RobotError& error);

/// What the options say of the robot's error, else the run's [robot], for commands that know only
/// independent errors. Throws RequestError where [robot] says more.
std::array<Distribution, 3> independent_error(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config);

}  // namespace graspmap
