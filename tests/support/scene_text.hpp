#pragma once

#include <string>

namespace graspmap::testing {

/// A scene with a body of each kind of motion, one key on each line.
inline const std::string kSceneText = R"(title = "A test scene"
[time]
duration_s = 0.5
step_s = 0.01
[solver]
stepper = "anitescu-hart"
tolerance = 1e-9
max_iterations = 30
active_gap_mm = 3
[world]
gravity_mm_s2 = [10, -9810]
friction = 0.4
[[body]]
name = "floor"
kind = "half_plane"
fixed = true
[[body]]
name = "disc"
kind = "disc"
radius_mm = 10
mass_kg = 2
inertia_kg_mm2 = 100
position_mm = [-50, 10]
velocity_mm_s = [1, 2]
angular_velocity_rad_s = 3
force_n = [0.5, 0]
[[body]]
name = "bracket"
density_kg_per_mm2 = 1e-3
position_mm = [100, 50]
angle_rad = 1.5707963267948966
[[body.piece]]
kind = "rectangle"
size_mm = [20, 10]
[[body.piece]]
kind = "rectangle"
size_mm = [10, 20]
position_mm = [15, 5]
[[body]]
name = "table"
kind = "rectangle"
size_mm = [40, 10]
position_mm = [0, -5]
shake = { amplitude_mm = 2, duration_s = 0.5, period_s = 2 }
[[body]]
name = "grain"
kind = "superellipse"
semi_axes_mm = [3, 2]
exponent = 4
density_kg_per_mm2 = 1e-5
position_mm = [0, 100]
[body.grid]
columns = 3
rows = 2
spacing_mm = [10, 8]
row_shift_mm = 5
fewer_per_row = 1
jitter_mm = [0.5, 0.25]
size_spread = 0.1
seed = 7
[[contact]]
between = ["disc", "floor"]
friction = 0.1
soft = { stiffness_n_per_mm = 2, damping_n_s_per_mm = 0.5, max_deflection_mm = 4 }
[[contact]]
between = ["grain", "table"]
touch = false
[[joint]]
kind = "pin"
between = ["disc", "bracket"]
at_mm = [0, 20]
)";

}  // namespace graspmap::testing
