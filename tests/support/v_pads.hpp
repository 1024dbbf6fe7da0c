#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap::testing {

/// A disc of 12 mm between pads with a V of `angle_deg` and `depth_mm` in their middle, almost
/// without friction on its table. It must end in their middle.
inline std::string v_pads(const std::string& design, double angle_deg = 120, double depth_mm = 4) {
  return R"(name = "v_pads"
[part]
material = "steel"
thickness_mm = 30
[[part.piece]]
name = "shaft"
semi_axes_mm = [12, 12]
[gripper]
jaw_mass_kg = 0.2
closing_force_n = 20
closing_speed_mm_s = 40
opening_mm = 50
[gripper.finger]
pad_width_mm = 24
pad_depth_mm = 12
groove_angle_deg = )" +
         std::to_string(angle_deg) + "\ngroove_depth_mm = " + std::to_string(depth_mm) + R"(
[support]
model = "ellipsoid"
[friction]
jaw = 0.2
support = 0.001
[placement]
x_min_mm = -4
x_max_mm = 4
x_cells = 4
y_min_mm = -10
y_max_mm = 10
y_cells = 10
[[success]]
y_mm = [-0.1, 0.1]
[sweep]
trials_per_cell = 1
seed = 1
[robot]
position_sigma_mm = [0.1, 4]
)" + design;
}

/// The success of these pads, by hand. With its centre y above their middle, below the mouth's
/// corner at w = depth tan(angle / 2), the disc first touches that corner. The line to its centre
/// has the angle phi with sin(phi) = (w - y) / R; the disc slides in where tan(phi) > mu. Above
/// that, and with a V so flat that a flank's normal lies in the cone of friction, it stays.
inline double v_pads_success(double angle_deg, double depth_mm) {
  constexpr double kRadius_mm = 12;
  constexpr double kMu = 0.2;
  constexpr double kSigma_mm = 4;
  const double half_rad = angle_deg / 2 * std::numbers::pi / 180;
  if (1 / std::tan(half_rad) <= kMu) return 0.0;
  const double mouth_mm = depth_mm * std::tan(half_rad);
  const double reach_mm = mouth_mm - kRadius_mm * kMu / std::sqrt(1 + kMu * kMu);
  return reach_mm > 0 ? 2 * normal_cumulative(reach_mm / kSigma_mm) - 1 : 0.0;
}

}  // namespace graspmap::testing
