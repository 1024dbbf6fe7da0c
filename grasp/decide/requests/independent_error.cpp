#include "grasp/decide/requests/independent_error.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/requests/shared_fields.hpp"

namespace graspmap {
namespace {

/// The key that says more of an error than one that is independent about 0; "" without one.
std::string key_that_says_more(const DeviceError& error) {
  using Pair = std::array<double, 2>;
  if (!error.deviations.empty()) return "measured";
  if (error.repeats) return "repeats";
  if (error.offset_sigma_mm.value_or(Pair{}) != Pair{}) return "offset_sigma_mm";
  if (error.offset_angle_sigma_rad.value_or(0.0) > 0) return "offset_angle_sigma_rad";
  const auto xx_xy_yy = error.position_covariance_mm2;
  if (xx_xy_yy && (*xx_xy_yy)[1] != 0) return "position_covariance_mm2";
  if (error.angle_covariance_mm_rad.value_or(Pair{}) != Pair{}) return "angle_covariance_mm_rad";
  return "";
}

[[noreturn]] void refuse(const std::string& key, const char* why, bool has_angles) {
  throw RequestError(fmt::format(
      "robot.{} of the run: {}, which this command cannot take; give --position-sigma-mm "
      "SX,SY{} in place of [robot]",
      key, why, has_angles ? " and --angle-sigma-rad S" : ""));
}

}  // namespace

std::array<Distribution, 3> independent_error(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config) {
  const auto robot = robot_error_of(position_sigma_mm, angle_sigma_rad, config);
  if (!robot) return {};
  const bool has_angles = !config.placement.theta_rad.is_fixed();
  struct Device {
    std::string path;
    DeviceError error;
  };
  std::vector<Device> devices = {{"", *robot}};
  if (robot->camera) devices.push_back({"camera.", *robot->camera});
  for (const auto& [path, error] : devices) {
    const std::string key = key_that_says_more(error);
    if (!key.empty()) {
      refuse(path + key, "errors that are not independent, normal or uniform about 0", has_angles);
    }
  }
  std::array<Distribution, 3> result;
  for (std::size_t k = 0; k < 3; ++k) {
    const double sigma = robot->standard_deviations()[k];
    result[k] = Distribution(Normal{0.0, sigma}).fixed_if_narrow();
    for (const auto& [path, error] : devices) {
      const double half_width = error.half_width()[k];
      if (!(half_width > 0)) continue;
      result[k] = Uniform{-half_width, half_width};
      if (error.standard_deviations()[k] == sigma) continue;
      refuse(path + (k == 2 ? "angle_range_rad" : "position_range_mm"),
             "a uniform error beside another one", has_angles);
    }
  }
  return result;
}

}  // namespace graspmap
