#include "grasp/decide/requests/independent_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/requests/shared_fields.hpp"

namespace graspmap {
namespace {

constexpr const char* kDependent = "errors that are not independent, normal or uniform about 0";
constexpr const char* kOfRun = "robot.";

/// The key that says that an error is not independent about 0; "" without one.
std::string dependent_key(const DeviceError& error) {
  using Pair = std::array<double, 2>;
  if (error.repeats) return "repeats";
  if (error.offset_sigma_mm.value_or(Pair{}) != Pair{}) return "offset_sigma_mm";
  if (error.offset_angle_sigma_rad.value_or(0.0) > 0) return "offset_angle_sigma_rad";
  const auto xx_xy_yy = error.position_covariance_mm2;
  if (xx_xy_yy && (*xx_xy_yy)[1] != 0) return "position_covariance_mm2";
  if (error.angle_covariance_mm_rad.value_or(Pair{}) != Pair{}) return "angle_covariance_mm_rad";
  return "";
}

std::vector<std::pair<std::string, DeviceError>> devices_of(const RobotError& error) {
  std::vector<std::pair<std::string, DeviceError>> devices = {{"", error}};
  if (error.camera) devices.emplace_back("camera.", *error.camera);
  return devices;
}

[[noreturn]] void refuse(const std::string& key, const char* why, const char* who) {
  const bool is_option = key.starts_with("--");
  throw RequestError(
      fmt::format("{}{}: {}, which {} cannot take{}", key, is_option ? "" : " of the run", why, who,
                  is_option ? "" : "; give --position-sigma-mm SX,SY in place of [robot]"));
}

}  // namespace

void check_independent(const RobotError& error, bool by_options, const char* who) {
  for (const auto& [path, device] : devices_of(error)) {
    std::string key = dependent_key(device);
    if (key.empty()) continue;
    if (by_options) std::replace(key.begin(), key.end(), '_', '-');
    refuse((by_options ? "--" : kOfRun + path) + key, kDependent, who);
  }
}

std::array<Distribution, 3> independent_error(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config) {
  constexpr const char* kCommand = "this command";
  const auto robot = robot_error_of(position_sigma_mm, angle_sigma_rad, config);
  if (!robot) return {};
  check_independent(*robot, false, kCommand);
  std::array<Distribution, 3> result;
  for (std::size_t k = 0; k < 3; ++k) {
    const double sigma = robot->standard_deviations()[k];
    result[k] = Distribution(Normal{0.0, sigma}).fixed_if_narrow();
    for (const auto& [path, error] : devices_of(*robot)) {
      if (!error.deviations.empty()) refuse(kOfRun + path + "measured", kDependent, kCommand);
      const double half_width = error.half_width()[k];
      if (!(half_width > 0)) continue;
      result[k] = Uniform{-half_width, half_width};
      if (error.standard_deviations()[k] == sigma) continue;
      refuse(kOfRun + path + (k == 2 ? "angle_range_rad" : "position_range_mm"),
             "a uniform error beside another one", kCommand);
    }
  }
  return result;
}

}  // namespace graspmap
