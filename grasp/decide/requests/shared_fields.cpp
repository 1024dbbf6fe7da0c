#include "grasp/decide/requests/shared_fields.hpp"

#include <fmt/format.h>

#include <cmath>

namespace graspmap {
namespace {

/// A coordinate of a placement, inside of the map.
double inside(const char* option, const Axis& axis, const char* name, double value) {
  if (axis.contains(value)) return value;
  throw RequestError(option, fmt::format("{} = {:.6g} is outside of the map, {:.6g} to {:.6g}",
                                         name, value, axis.min, axis.max));
}

}  // namespace

RequestField confidence_field(double& member) {
  return number_field("confidence C", member, {"a number from 0.5 to 0.9999", 0.5, 0.9999},
                      "confidence of the intervals (default: 0.95)");
}

RequestField threads_field(int& member) {
  return count_field("threads N", member, 1, 1024, "threads (default: all)");
}

RequestField seed_field(std::uint64_t& member, const std::string& what) {
  return count_field("seed N", member, 0, 1'000'000'000, what + " (default: 1)");
}

RequestField required_probability_field(std::optional<double>& member, std::string meaning) {
  static constexpr const char* kAllowed = "a number above 0 and below 1";
  RequestField field = number_field("required-probability P", member,
                                    {kAllowed, 0.0, 1.0, true, true}, std::move(meaning));
  field.read = [read = field.read](const RequestValues& values, const char* option) {
    const double given = values.number(option);
    if (given > 1 && given < 100) {
      values.refuse(option, fmt::format("{}: {:.6g}?", kAllowed, given / 100));
    }
    read(values, option);
  };
  return field;
}

RequestField placement_field(std::string form, std::vector<double>& member, std::string meaning) {
  const auto any = [](const std::vector<double>& /*numbers*/) { return true; };  // on_map checks
  return numbers_field(std::move(form), member, "", any, std::move(meaning));
}

RequestField position_sigma_field(std::optional<std::array<double, 2>>& member,
                                  std::string meaning) {
  return pair_field("position-sigma-mm SX,SY", member, std::move(meaning));
}

RequestField angle_sigma_field(std::optional<double>& member, std::string meaning) {
  return number_field("angle-sigma-rad S", member, kAtLeastZero, std::move(meaning));
}

void check_period(double period_deg) {
  const double times = 360.0 / period_deg;
  if (std::abs(times - std::round(times)) < 1e-9 * times) return;
  throw RequestError("period-deg", "", "a number > 0 that divides 360");
}

std::array<double, 3> on_map(const std::vector<double>& numbers, const char* option,
                             const std::array<Axis, 3>& axes) {
  const bool has_angle = !axes[2].is_fixed();
  if (numbers.size() != (has_angle ? 3U : 2U)) {
    throw RequestError(option, "",
                       has_angle ? "X,Y,THETA (mm, mm, rad): the sweep is over angles too"
                                 : "X,Y (mm): the sweep has one angle only");
  }
  return {inside(option, axes[0], "x", numbers[0]), inside(option, axes[1], "y", numbers[1]),
          has_angle ? inside(option, axes[2], "theta", numbers[2]) : axes[2].min};
}

std::optional<RobotError> robot_error_of(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config) {
  if (!position_sigma_mm && !angle_sigma_rad) return config.robot;
  if (angle_sigma_rad && config.placement.theta_rad.is_fixed()) {
    throw RequestError(
        "angle-sigma-rad",
        "the sweep has one angle only; a sweep over angles has placement.theta_min_rad, "
        "theta_max_rad and theta_cells in its configuration");
  }
  RobotError error;
  error.position_sigma_mm = position_sigma_mm.value_or(std::array{0.0, 0.0});
  if (angle_sigma_rad.value_or(0.0) > 0) error.angle_sigma_rad = angle_sigma_rad;
  return error;
}

}  // namespace graspmap
