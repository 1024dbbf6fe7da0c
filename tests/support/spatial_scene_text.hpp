#pragma once

#include <string>

namespace graspmap::testing {

/// A scene in space with a body of each kind, one key on each line.
inline const std::string kRigidSceneText = R"(title = "A test scene in space"
kind = "spatial"
[time]
duration_s = 0.5
step_s = 0.01
[solver]
stepper = "stewart-trinkle"
tolerance = 1e-9
max_iterations = 30
directions = 12
[world]
gravity_mm_s2 = [10, 20, -9810]
friction = 0.4
e_o = 0.5
e_r_mm = 7
[[body]]
name = "floor"
kind = "half_space"
fixed = true
[[body]]
name = "ball"
kind = "sphere"
radius_mm = 10
mass_kg = 2
inertia_kg_mm2 = [80, 90, 100]
position_mm = [-50, 0, 10]
orientation = [0.8, 0.6, 0, 0]
velocity_mm_s = [1, 2, 3]
angular_velocity_rad_s = [4, 5, 6]
force_n = [0.5, 0, 0]
torque_n_mm = [0, 0, 0.25]
[[body]]
name = "egg"
kind = "ellipsoid"
semi_axes_mm = [10, 20, 30]
mass_kg = 3
position_mm = [100, 0, 40]
[[body]]
name = "pillow"
kind = "superquadric"
semi_axes_mm = [11, 12, 13]
exponent = 4
mass_kg = 4
position_mm = [200, 0, 40]
[[body]]
name = "crate"
kind = "box"
size_mm = [20, 40, 60]
density_kg_per_mm3 = 1e-4
position_mm = [300, 0, 60]
[[body]]
name = "pole"
kind = "cylinder"
radius_mm = 5
length_mm = 60
position_mm = [400, 0, 100]
fixed = true
[[contact]]
between = ["ball", "floor"]
friction = 0.1
e_r_mm = 3
[[contact]]
between = ["egg", "ball"]
touch = false
[[push]]
body = "crate"
start_s = 0.1
end_s = 0.2
force_n = [1, 2, 3]
torque_n_mm = [4, 5, 6]
[[kick]]
body = "egg"
when = "line_contact"
impulse_n_s = [7, 8, 9]
angular_impulse_n_mm_s = [0.1, 0.2, 0.3]
)";

/// An articulated scene with a joint of each kind, one key on each line.
inline const std::string kArticulatedSceneText = R"(title = "A test machine"
kind = "articulated"
[time]
duration_s = 0.5
step_s = 0.01
[solver]
contact_solver = "mlcp-pfb-rlm"
integrator = "moreau-midpoint"
directions = 6
direction_offset_rad = 0.25
fixed_directions = true
tolerance = 1e-9
penalty = 0.9
limit_restitution = false
[world]
gravity_mm_s2 = [10, 20, -9810]
friction = 0.4
restitution = 0.5
self_contact = false
[[link]]
name = "arm"
joint = "pin"
axis = [0, 3, 4]
at_mm = [1, 2, 3]
angle_rad = 0.5
speed_rad_s = 2
mass_kg = 3
centre_of_mass_mm = [4, 5, 6]
inertia_kg_mm2 = [7, 8, 9]
[[link]]
name = "slide"
parent = "arm"
joint = "slider"
axis = [0, 0, -2]
displacement_mm = 10
speed_mm_s = 20
mass_kg = 1
ball_centre_mm = [0, 0, -30]
ball_radius_mm = 5
[[link]]
name = "wrist"
parent = "slide"
joint = "ball"
orientation = [0.6, 0.8, 0, 0]
angular_velocity_rad_s = [1, 2, 3]
mass_kg = 0
[[link]]
name = "chain"
parent = "wrist"
repeat = 3
joint = "pin"
axis = [1, 0, 0]
at_mm = [0, 0, -7]
next_at_mm = [0, 0, -40]
angle_rad = 0.125
speed_rad_s = 0.75
mass_kg = 0.5
ball_centre_mm = [0, 0, -40]
ball_radius_mm = 10
[[link]]
name = "stone"
joint = "free"
position_mm = [500, 0, 300]
orientation = [0.6, 0, 0.8, 0]
velocity_mm_s = [10, 20, 30]
angular_velocity_rad_s = [1, 2, 3]
mass_kg = 2
ball_radius_mm = 50
[[obstacle]]
name = "floor"
point_mm = [0, 0, -500]
normal = [0, 0, 2]
[[closure]]
between = ["ground", "stone"]
point_a_mm = [497.2, 0, 290.4]
point_b_mm = [10, 0, 0]
)";

}  // namespace graspmap::testing
