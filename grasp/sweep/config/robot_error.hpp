#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

struct CellGrid;

/// The error that a device adds to each placement, as a person knows it: x (mm), y (mm), theta
/// (rad). One of the first five says it of the position.
struct DeviceError {
  using Vector = std::array<double, 3>;
  using Matrix = std::array<Vector, 3>;

  std::optional<double> repeatability_mm;   ///< RP of a data sheet (ISO 9283)
  std::optional<double> position_range_mm;  ///< uniform in +- this, in x and in y
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<std::array<double, 3>> position_covariance_mm2;  ///< xx, xy, yy
  std::vector<Vector> deviations;  ///< measured, all with their mean and their outliers
  bool deviations_have_angles = false;
  std::optional<double> angle_range_rad;
  std::optional<double> angle_sigma_rad;
  std::optional<std::array<double, 2>> angle_covariance_mm_rad;  ///< with x and y
  /// Of what is unknown but the same in each grasp.
  std::optional<std::array<double, 2>> offset_sigma_mm;
  std::optional<double> offset_angle_sigma_rad;
  /// The standard deviations, or the covariance, are those of so many repeat measurements.
  std::optional<int> repeats;

  [[nodiscard]] bool has_position() const;
  /// Of the part that is normal; rows of zeros without one.
  [[nodiscard]] Matrix covariance() const;
  /// Half the widths of the part that is uniform; 0 without one.
  [[nodiscard]] Vector half_width() const;
  /// Of all that differs from grasp to grasp.
  [[nodiscard]] Vector standard_deviations() const;
  /// Of what is unknown but the same in each grasp.
  [[nodiscard]] Vector offset_standard_deviations() const;

  friend bool operator==(const DeviceError&, const DeviceError&) = default;
};

/// How far from the intended placement a grasp is: [robot]. It changes no trial: decisions on a run
/// weigh it in.
struct RobotError : DeviceError {
  std::optional<DeviceError> camera;  ///< of what locates the part: independent, both add

  /// Of both together.
  [[nodiscard]] Vector standard_deviations() const;
  friend bool operator==(const RobotError&, const RobotError&) = default;
};

/// RP / sigma. ISO 9283 measures RP = mean + 3 standard deviations of the distance between the
/// places reached and their barycentre, in space. Where the errors along three axes are independent
/// and normal with the same sigma, that distance has Maxwell's distribution: its mean is
/// sqrt(8 / pi) sigma, its variance (3 - 8 / pi) sigma^2.
double repeatability_in_sigmas();

/// "0.5 mm in x and 0.5 mm in y and 0.01 rad (standard deviations)".
std::string error_words(const RobotError& error);

/// Calls `fail`, which throws, with a key ("" of several errors of the position) and what is wrong
/// with it, where members do not go together, or with the map. `name` is what texts call a key.
using NameKey = std::function<std::string(const std::string& key)>;
void check_error(const DeviceError& error, const CellGrid& grid, const FailAtKey& fail,
                 const NameKey& name = std::identity());

/// Measured deviations: columns x_mm, y_mm and, where it is there, theta_rad. Throws ConfigError.
void read_deviations(const std::filesystem::path& file, DeviceError& error);

/// Reads [robot] with [robot.camera]; files are looked for in `folder`. Throws ConfigError.
RobotError read_robot(const TomlTable& table, const std::filesystem::path& folder,
                      const CellGrid& grid);

}  // namespace graspmap
