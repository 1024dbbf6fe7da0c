#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/support/sweep_text.hpp"

/// Grasps with an uncertain number whose end a closed form tells.

namespace graspmap::testing {

/// A grasp of one piece at one placement, slow and all but frictionless on the table.
inline std::string grasp_text(const std::string& piece, double y_mm, double mu_jaw,
                              const std::string& success, const std::string& uncertain) {
  return fmt::format(R"(name = "grasp"
[part]
mass_kg = 0.05
center_of_mass_mm = [0, 0]
inertia_kg_mm2 = 10
[[part.piece]]
name = "piece"
{}
[gripper]
jaw_mass_kg = 0.2
closing_force_n = 10
closing_speed_mm_s = 5
opening_mm = 48
[support]
model = "ellipsoid"
e_r_mm = 10
[friction]
jaw = {}
support = 1e-4
[placement]
x_min_mm = -1e-6
x_max_mm = 1e-6
x_cells = 1
y_min_mm = {}
y_max_mm = {}
y_cells = 1
[[success]]
{}
[stop]
timeout_s = 10
stopped_speed_mm_s = 0.01
[sweep]
trials_per_cell = 60
seed = 3
[uncertain]
{}
)",
                     piece, mu_jaw, y_mm - 1e-6, y_mm + 1e-6, success, uncertain);
}

/// A disc of radius 20.75 mm +- 0.6 mm, its centre `depth` above the fingertips: held by both, or
/// it slides out.
inline SweepConfig disc_of_uncertain_size(double depth_mm, double mu_jaw) {
  return sweep_of(grasp_text(
      "semi_axes_mm = [20.75, 20.75]", -depth_mm, mu_jaw, "left = [\"piece\"]\nright = [\"piece\"]",
      "\"part.offset_mm\" = { distribution = \"uniform\", min = -0.6, max = 0.6 }"));
}

}  // namespace graspmap::testing
