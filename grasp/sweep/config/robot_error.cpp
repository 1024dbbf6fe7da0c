#include "grasp/sweep/config/robot_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "grasp/base/io/csv.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kLeastDeviations = 5;
constexpr std::size_t kMostDeviations = 1000;

std::string one_position(const NameKey& name) {
  std::vector<std::string> names;
  for (const char* key : {"repeatability_mm", "position_range_mm", "position_sigma_mm",
                          "position_covariance_mm2", "measured"}) {
    names.push_back(name(key));
  }
  return fmt::format("must be one of {}", fmt::join(names, ", "));
}

/// How many errors of the position are given.
std::ptrdiff_t positions(const DeviceError& error) {
  const std::array given = {error.repeatability_mm.has_value(), error.position_range_mm.has_value(),
                            error.position_sigma_mm.has_value(),
                            error.position_covariance_mm2.has_value(), !error.deviations.empty()};
  return std::count(given.begin(), given.end(), true);
}

/// The mean of the deviations, and their standard deviations.
std::array<DeviceError::Vector, 2> moments_of(const std::vector<DeviceError::Vector>& deviations) {
  DeviceError::Vector mean{};
  DeviceError::Vector sigma{};
  const auto n = static_cast<double>(deviations.size());
  for (std::size_t k = 0; k < 3; ++k) {
    for (const DeviceError::Vector& at : deviations) mean[k] += at[k] / n;
    for (const DeviceError::Vector& at : deviations) {
      sigma[k] += (at[k] - mean[k]) * (at[k] - mean[k]) / n;
    }
    sigma[k] = std::sqrt(sigma[k]);
  }
  return {mean, sigma};
}

bool is_positive_definite(const DeviceError::Matrix& c) {
  const double determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[1][2]) -
                             c[0][1] * (c[0][1] * c[2][2] - c[1][2] * c[0][2]) +
                             c[0][2] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
  return c[0][0] * c[1][1] > c[0][1] * c[0][1] && c[1][1] * c[2][2] > c[1][2] * c[1][2] &&
         determinant > 0;
}

}  // namespace

bool DeviceError::has_position() const { return positions(*this) > 0; }

DeviceError::Matrix DeviceError::covariance() const {
  Matrix c{};
  if (position_covariance_mm2) {
    const auto [xx, xy, yy] = *position_covariance_mm2;
    c = {{{xx, xy, 0}, {xy, yy, 0}, {0, 0, 0}}};
  } else if (repeatability_mm) {
    const double sigma_mm = *repeatability_mm / repeatability_in_sigmas();
    c[0][0] = c[1][1] = sigma_mm * sigma_mm;
  } else if (position_sigma_mm) {
    const auto [x, y] = *position_sigma_mm;
    c[0][0] = x * x;
    c[1][1] = y * y;
  }
  if (angle_sigma_rad) c[2][2] = *angle_sigma_rad * *angle_sigma_rad;
  if (!angle_covariance_mm_rad) return c;
  const auto [xt, yt] = *angle_covariance_mm_rad;
  c[0][2] = c[2][0] = xt;
  c[1][2] = c[2][1] = yt;
  return c;
}

DeviceError::Vector DeviceError::half_width() const {
  const double position = position_range_mm.value_or(0.0);
  return {position, position, angle_range_rad.value_or(0.0)};
}

DeviceError::Vector DeviceError::standard_deviations() const {
  const Matrix c = covariance();
  const Vector uniform = half_width();
  Vector measured{};
  if (!deviations.empty()) measured = moments_of(deviations)[1];
  Vector result{};
  for (std::size_t k = 0; k < 3; ++k) {
    result[k] = std::sqrt(c[k][k] + uniform[k] * uniform[k] / 3 + measured[k] * measured[k]);
  }
  return result;
}

DeviceError::Vector DeviceError::offset_standard_deviations() const {
  const auto [x, y] = offset_sigma_mm.value_or(std::array{0.0, 0.0});
  return {x, y, offset_angle_sigma_rad.value_or(0.0)};
}

DeviceError::Vector RobotError::standard_deviations() const {
  Vector result = DeviceError::standard_deviations();
  const Vector of_camera = camera ? camera->standard_deviations() : Vector{};
  for (std::size_t k = 0; k < 3; ++k) {
    result[k] = std::sqrt(result[k] * result[k] + of_camera[k] * of_camera[k]);
  }
  return result;
}

double repeatability_in_sigmas() {
  const double mean = std::sqrt(8 / std::numbers::pi);
  const double deviation = std::sqrt(3 - 8 / std::numbers::pi);
  return mean + 3 * deviation;
}

namespace {

std::string device_words(const DeviceError& error) {
  const auto [x, y, theta] = error.standard_deviations();
  std::string text;
  if (error.position_range_mm) {
    text = fmt::format("±{:.6g} mm in x and in y", *error.position_range_mm);
  } else if (!error.deviations.empty()) {
    return fmt::format(
        "{} measured deviations (standard deviations {:.4g} mm in x, {:.4g} mm in y{})",
        error.deviations.size(), x, y,
        error.deviations_have_angles ? fmt::format(", {:.4g} rad", theta) : "");
  } else {
    text = fmt::format("{:.6g} mm in x and {:.6g} mm in y", x, y);
  }
  if (error.angle_range_rad) {
    text += fmt::format(" and ±{:.6g} rad", *error.angle_range_rad);
  } else if (theta > 0) {
    text += fmt::format(" and {:.6g} rad", theta);
  }
  if ((x == 0 && y == 0 && theta == 0) || (error.position_range_mm && !error.angle_sigma_rad)) {
    return text;
  }
  const bool correlated = error.position_covariance_mm2 || error.angle_covariance_mm_rad;
  return text + fmt::format(" (standard deviations{}{})", correlated ? ", correlated" : "",
                            error.repeatability_mm ? fmt::format(" of a repeatability of {:.6g} mm",
                                                                 *error.repeatability_mm)
                                                   : "");
}

std::string offset_words(const DeviceError& error) {
  const auto [x, y, theta] = error.offset_standard_deviations();
  if (x == 0 && y == 0 && theta == 0) return "";
  return fmt::format(
      ",\nan offset that is unknown but the same in each grasp, of {:.6g} mm in x and {:.6g} mm in "
      "y{}",
      x, y, theta > 0 ? fmt::format(" and {:.6g} rad", theta) : "");
}

}  // namespace

std::string error_words(const RobotError& error) {
  const auto words = [](const DeviceError& of) { return device_words(of) + offset_words(of); };
  return words(error) + (error.camera ? ",\nand the camera's of " + words(*error.camera) : "");
}

void check_error(const DeviceError& error, const CellGrid& grid, const FailAtKey& fail,
                 const NameKey& name) {
  const bool has_normal_position =
      error.repeatability_mm || error.position_sigma_mm || error.position_covariance_mm2;
  const bool has_angles = !grid.theta_rad.is_fixed();
  if (positions(error) > 1) fail("", "several errors of the position; " + one_position(name));
  if (error.position_covariance_mm2) {
    const auto [xx, xy, yy] = *error.position_covariance_mm2;
    if (!(xx > 0 && yy > 0 && xy * xy < xx * yy)) {
      fail("position_covariance_mm2",
           fmt::format("is [{}, {}, {}]; must be [xx, xy, yy] with xx > 0, yy > 0 and xy^2 < xx yy",
                       xx, xy, yy));
    }
  }
  const std::pair<const char*, bool> of_angles[] = {
      {"angle_range_rad", error.angle_range_rad.has_value()},
      {"angle_sigma_rad", error.angle_sigma_rad.has_value()},
      {"offset_angle_sigma_rad", error.offset_angle_sigma_rad.has_value()},
      {"measured", error.deviations_have_angles}};
  for (const auto& [key, is_there] : of_angles) {
    if (!is_there || has_angles) continue;
    fail(key,
         "the sweep has one angle only; must be a sweep over angles, which has "
         "placement.theta_min_rad, theta_max_rad and theta_cells (around one angle: "
         "placement.noise.theta_rad)");
  }
  if (error.deviations_have_angles && (error.angle_range_rad || error.angle_sigma_rad)) {
    fail(error.angle_range_rad ? "angle_range_rad" : "angle_sigma_rad",
         "does not go with measured angles; must be left out");
  }
  if (error.angle_range_rad && error.angle_sigma_rad) {
    fail("angle_range_rad",
         fmt::format("does not go with {}; give one of them", name("angle_sigma_rad")));
  }
  // The whole matrix: that of x and y was checked alone above.
  if (error.angle_covariance_mm_rad &&
      !(has_normal_position && is_positive_definite(error.covariance()))) {
    fail("angle_covariance_mm_rad",
         fmt::format("must be [xt, yt] (mm rad) such that, with {} and the errors of x and y, the "
                     "covariance matrix is positive definite",
                     name("angle_sigma_rad")));
  }
  if (error.repeats && !error.position_sigma_mm && !error.position_covariance_mm2) {
    fail("repeats", fmt::format("is of measured standard deviations; must go with {} or {}",
                                name("position_sigma_mm"), name("position_covariance_mm2")));
  }
  if (error.deviations.empty()) return;
  const std::size_t count = error.deviations.size();
  if (count < kLeastDeviations || count > kMostDeviations) {
    fail("measured", fmt::format("has {} deviations; must have {} to {}", count, kLeastDeviations,
                                 kMostDeviations));
  }
  for (const auto& [x, y, theta] : error.deviations) {
    if (limits::kPositions_mm.contains(x) && limits::kPositions_mm.contains(y) &&
        limits::kAngles_rad.contains(theta)) {
      continue;
    }
    fail("measured",
         fmt::format("has ({:g}, {:g}) mm, {:g} rad; must be lengths and angles of a robot", x, y,
                     theta));
  }
  // The file may have the places that were reached, not their deviations.
  const DeviceError::Vector mean = moments_of(error.deviations)[0];
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis axis = grid.axes()[k];
    if (axis.is_fixed() || std::abs(mean[k]) < (axis.max - axis.min) / 2) continue;
    fail(
        "measured",
        fmt::format("has the mean ({:.6g}, {:.6g}) mm, {:.4g} rad, more than half of the map; must "
                    "be deviations, the place reached minus the one commanded",
                    mean[0], mean[1], mean[2]));
  }
}

void read_deviations(const std::filesystem::path& file, DeviceError& error) {
  const CsvTable table = read_csv(file);
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::optional<std::size_t> theta = find_angle_column(table);
  error.deviations_have_angles = theta.has_value();
  for (const CsvRow& row : table.rows) {
    error.deviations.push_back(
        {table.number(row, x), table.number(row, y), theta ? table.number(row, *theta) : 0.0});
  }
  if (error.deviations.empty()) throw config_error({table.file}, "", "has no deviations");
}

namespace {

DeviceError read_device(const TomlTable& table, const std::filesystem::path& folder,
                        const CellGrid& grid) {
  DeviceError error;
  KeyReader keys(table, folder);
  device_keys(keys, error);
  if (table.has("measured")) {
    table.refuse_both("measured", "deviations");
    try {
      read_deviations(folder / table.text("measured"), error);
    } catch (const ConfigError& wrong) {
      table.fail_in_file("measured", wrong);
    }
  } else if (table.has("deviations")) {
    const auto lists = table.number_lists("deviations", 2, 3);
    error.deviations_have_angles = !lists.empty() && lists[0].size() == 3;
    for (const std::vector<double>& list : lists) {
      if ((list.size() == 3) != error.deviations_have_angles) {
        table.fail("deviations", "has [x, y] and [x, y, theta]; must be all with theta, or none");
      }
      error.deviations.push_back({list[0], list[1], list.size() == 3 ? list[2] : 0.0});
    }
  }
  if (!error.has_position())
    table.fail("position_sigma_mm", "missing; " + one_position(std::identity()));
  check_error(error, grid, [&](const std::string& key, const std::string& text) {
    const bool is_list = key == "measured" && table.has("deviations");
    table.fail(key.empty() ? "position_sigma_mm" : is_list ? "deviations" : table.given(key), text);
  });
  return error;
}

}  // namespace

RobotError read_robot(const TomlTable& table, const std::filesystem::path& folder,
                      const CellGrid& grid) {
  RobotError robot{read_device(table, folder, grid), {}};
  if (table.has_table("camera")) robot.camera = read_device(table.table("camera"), folder, grid);
  return robot;
}

}  // namespace graspmap
