#include "grasp/decide/requests/independent_error.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/requests/shared_fields.hpp"

namespace graspmap {
namespace {

constexpr const char* kDependent = "errors that are not independent, normal or uniform about 0";

/// A key of [robot] behind "robot.", and what it says that is not independent about 0.
struct Dependence {
  std::string key;
  const char* what = kDependent;
};

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

std::optional<Dependence> dependence(const RobotError& error) {
  for (const auto& [path, device] : devices_of(error)) {
    const std::string key = dependent_key(device);
    if (!key.empty()) return Dependence{path + key};
  }
  return std::nullopt;
}

/// Sets the errors in x, y and theta, unless they are not independent about 0.
std::optional<Dependence> split(const RobotError& robot, std::array<Distribution, 3>& errors) {
  if (auto found = dependence(robot)) return found;
  for (std::size_t k = 0; k < 3; ++k) {
    const double sigma = robot.standard_deviations()[k];
    errors[k] = Distribution(Normal{0.0, sigma}).fixed_if_narrow();
    for (const auto& [path, device] : devices_of(robot)) {
      if (!device.deviations.empty()) return Dependence{path + "measured"};
      const double half_width = device.half_width()[k];
      if (!(half_width > 0)) continue;
      errors[k] = Uniform{-half_width, half_width};
      if (device.standard_deviations()[k] == sigma) continue;
      return Dependence{path + (k == 2 ? "angle_range_rad" : "position_range_mm"),
                        "a uniform error beside another one"};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const Dependence& found, const char* who) {
  throw RequestError(
      fmt::format("robot.{} of the run: {}, which {} cannot take; give --position-sigma-mm SX,SY "
                  "in place of [robot]",
                  found.key, found.what, who));
}

}  // namespace

void check_independent(const RobotError& error, bool by_options, const char* who) {
  std::optional<Dependence> found = dependence(error);
  if (!found) return;
  if (!by_options) refuse(*found, who);
  throw RequestError(option_of_key(found->key),
                     fmt::format("{}, which {} cannot take", found->what, who));
}

bool is_independent(const RobotError& error) {
  std::array<Distribution, 3> errors;
  return !split(error, errors);
}

std::array<Distribution, 3> independent_error(
    const std::optional<std::array<double, 2>>& position_sigma_mm,
    const std::optional<double>& angle_sigma_rad, const SweepConfig& config) {
  std::array<Distribution, 3> errors;
  const auto robot = robot_error_of(position_sigma_mm, angle_sigma_rad, config);
  if (!robot) return errors;
  if (const auto found = split(*robot, errors)) refuse(*found, "this command");
  return errors;
}

}  // namespace graspmap
