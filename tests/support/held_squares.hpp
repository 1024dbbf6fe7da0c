#pragma once

#include <string>

namespace graspmap::testing {

/// Squares of 20 mm and 40 g between jaws that press with 10 N: friction of 0.1 to 0.3 at the jaws,
/// so that a lift holds 2 mu 10 N. All trials end flush; the lifted weight is 0.3924 N (1 + a / g).
inline std::string held_squares(const std::string& hold, const std::string& success = "") {
  return R"(name = "squares"
[part]
mass_kg = 0.04
center_of_mass_mm = [0, 0]
inertia_kg_mm2 = 3
[[part.piece]]
name = "square"
outline_mm = [[-10, -10], [10, -10], [10, 10], [-10, 10]]
[gripper]
jaw_mass_kg = 0.2
closing_force_n = 10
closing_speed_mm_s = 50
opening_mm = 30
[support]
model = "ellipsoid"
e_r_mm = 8
[friction]
jaw = { distribution = "uniform", min = 0.1, max = 0.3 }
support = 0.3
[placement]
x_min_mm = -2
x_max_mm = 2
x_cells = 2
y_min_mm = 12
y_max_mm = 16
y_cells = 2
[[success]]
left = ["square"]
right = ["square"]
)" + success +
         R"([sweep]
trials_per_cell = 250
seed = 3
[summary]
sweet_spot_half_width_mm = 1
[hold]
part_height_mm = 5
)" + hold;
}

}  // namespace graspmap::testing
