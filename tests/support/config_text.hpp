#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

namespace graspmap::testing {

/// A short configuration: a bar with a knob below it; required keys only.
inline constexpr const char* kConfigText = R"(name = "knob-bar"

[part]
mass_kg = 0.05
center_of_mass_mm = [0.5, -1]
inertia_kg_mm2 = 12
[[part.piece]]
name = "bar"
semi_axes_mm = [20, 5]
exponent = 8
[[part.piece]]
name = "knob"
center_mm = [0, -6]
semi_axes_mm = [3, 3]

[gripper]
jaw_mass_kg = 0.2
closing_force_n = 10
closing_speed_mm_s = 50
opening_mm = 30

[support]
model = "ellipsoid"
e_r_mm = 10

[friction]
jaw = { distribution = "uniform", min = 0.05, max = 0.35 }
support = 0.3

[placement]
x_min_mm = -5
x_max_mm = 5
x_cells = 4
y_min_mm = -8
y_max_mm = -2
y_cells = 3

[[success]]
left = ["knob"]
right = ["knob"]

[sweep]
trials_per_cell = 10
seed = 42
)";

/// `text` with its only occurrence of `old_part` replaced.
inline std::string replaced(std::string text, const std::string& old_part,
                            const std::string& new_part) {
  const std::size_t at = text.find(old_part);
  if (at == std::string::npos || text.find(old_part, at + 1) != std::string::npos) {
    throw std::invalid_argument("not found once: " + old_part);
  }
  return text.replace(at, old_part.size(), new_part);
}

/// The line, from 1, of the first occurrence of `part` in `text`.
inline int line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) throw std::invalid_argument("not found: " + part);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

}  // namespace graspmap::testing
