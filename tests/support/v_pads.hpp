#pragma once

#include <string>

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

}  // namespace graspmap::testing
