#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/probability/axis.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Fields that several requests have. Functions of them throw RequestError.

/// --confidence of the intervals.
RequestField confidence_field(double& member);
/// --threads, 0 for all.
RequestField threads_field(int& member);
/// --seed; `what` says of what.
RequestField seed_field(std::uint64_t& member, const std::string& what);
/// --required-probability.
RequestField required_probability_field(std::optional<double>& member, std::string meaning);
/// --`form`, "placement X,Y[,THETA]": two or three numbers, mm and rad; on_map reads them.
RequestField placement_field(std::string form, std::vector<double>& member, std::string meaning);
/// --position-sigma-mm.
RequestField position_sigma_field(std::optional<std::array<double, 2>>& member,
                                  std::string meaning);
/// --angle-sigma-rad.
RequestField angle_sigma_field(std::optional<double>& member, std::string meaning);

/// Throws unless whole turns are so many --period-deg after which a part looks the same.
void check_period(double period_deg);

/// What --`option` says of a placement, (x, y) or with an angle for a sweep over angles: a place
/// inside of the map.
std::array<double, 3> on_map(const std::vector<double>& numbers, const char* option,
                             const std::array<Axis, 3>& axes);

/// What the options say of the robot's error, else the run's [robot]; nothing without either. An
/// error of the angle is refused when the sweep has one angle only.
std::optional<RobotError> robot_error_of(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config);

}  // namespace graspmap
