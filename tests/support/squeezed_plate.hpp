#pragma once

#include <string>

namespace graspmap::testing {

/// The configuration of a plate between flat jaws: light, slow and strong, without friction unless
/// it is given. The jaws are quarter-planes. `corners` are the plate's: "[0, 0], [20, 0], [0, 30]".
inline std::string squeezed_plate(const std::string& corners, const std::string& friction_jaw = "0",
                                  const std::string& friction_support = "0.05") {
  return R"(name = "plate"
[part]
density_kg_mm3 = 2.7e-6
thickness_mm = 5
[[part.piece]]
name = "plate"
outline_mm = [)" +
         corners +
         R"(]
[gripper]
jaw_mass_kg = 0.02
closing_force_n = 40
closing_speed_mm_s = 20
opening_mm = 90
[support]
model = "ellipsoid"
[placement]
x_min_mm = -1
x_max_mm = 1
x_cells = 1
y_min_mm = -1
y_max_mm = 1
y_cells = 1
[[success]]
at_rest = true
[stop]
timeout_s = 20
[sweep]
trials_per_cell = 1
seed = 1
[friction]
)" +
         "jaw = " + friction_jaw + "\nsupport = " + friction_support + "\n";
}

}  // namespace graspmap::testing
