#include "grasp/sweep/config/sweep_keys.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_override.hpp"

namespace graspmap {
namespace {

/// A sweep with all tables that it may have, so that their readers are called.
constexpr std::string_view kEveryTable = R"(
[[part.piece]]
name = "disc"
semi_axes_mm = [10, 10]
[part]
mass_kg = 1
center_of_mass_mm = [0, 0]
inertia_kg_mm2 = 50
[gripper]
jaw_mass_kg = 1
closing_force_n = 10
closing_speed_mm_s = 10
opening_mm = 50
coupling = "symmetric"
finger = { width_mm = 5 }
left_finger = { width_mm = 5 }
palm = { outline_mm = [[-10, -50], [10, -50], [10, -40], [-10, -40]] }
[support]
model = "ellipsoid"
[friction]
jaw = { distribution = "fixed", value = 0.2 }
support = { distribution = "fixed", value = 0.2 }
[placement]
x_min_mm = -1
x_max_mm = 1
x_cells = 1
y_min_mm = -1
y_max_mm = 1
y_cells = 1
[placement.noise]
x_mm = { distribution = "fixed", value = 0 }
y_mm = { distribution = "fixed", value = 0 }
theta_rad = { distribution = "fixed", value = 0 }
[[success]]
left = ["disc"]
[sweep]
trials_per_cell = 1
seed = 1
sampling = "uniform"
[simulation]
stepper = "implicit"
)";

/// What leads readers past the first choices: numbers for laws, outlines for a piece, a goal.
constexpr std::array kOtherChoices = {
    "friction.jaw=0.2",
    "friction.support=0.2",
    "placement.noise.x_mm=0",
    "placement.noise.y_mm=0",
    "placement.noise.theta_rad=0",
    "uncertain={ \"part.mass_kg\" = { distribution = \"fixed\", value = 1 } }",
    "correlated=[{ keys = [\"friction.jaw\", \"friction.support\"], matrix = [[1, 0], [0, 1]] }]",
    "part.piece.0={ name = \"plate\", outline_mm = [[-9, -9], [9, -9], [9, 9], [-9, 9]] }",
    "part.piece.0={ name = \"plate\", file = \"plate.svg\", origin = \"drawn\" }",
    "sweep={ trials_per_cell = 1, seed = 1, sampling = \"adaptive\", adaptive = { goal = \"both\" "
    "} }",
};

using Keys = std::map<std::string, std::vector<std::string>>;

void add_keys(const toml::table& document, const std::filesystem::path& folder, Keys& keys) {
  for (AskedKey& key : keys_asked_by_sweep(document, folder)) {
    std::vector<std::string>& words = keys[key.path];
    if (!key.words.empty()) words = std::move(key.words);
  }
}

void add_keys_with(const std::string& assignment, Keys& keys) {
  toml::table document = parse_toml(kEveryTable, "keys");
  apply_override(document, assignment);
  add_keys(document, {}, keys);
}

std::vector<AskedKey> listed(const Keys& keys) {
  std::vector<AskedKey> list;
  for (const auto& [path, words] : keys) list.push_back({path, words});
  return list;
}

Keys all_keys() {
  Keys keys;
  add_keys(parse_toml(kEveryTable, "keys"), {}, keys);
  for (const char* assignment : kOtherChoices) add_keys_with(assignment, keys);
  const Keys first = keys;
  for (const auto& [path, words] : first) {
    for (const std::string& word : words) {
      if (word != "true" && word != "false") add_keys_with(fmt::format("{}={}", path, word), keys);
    }
  }
  return keys;
}

}  // namespace

std::vector<AskedKey> sweep_keys() { return listed(all_keys()); }

std::vector<AskedKey> sweep_keys_for(const std::filesystem::path& file) {
  Keys keys = all_keys();
  try {
    add_keys(parse_toml(read_toml_text(file), file.string()), file.parent_path(), keys);
  } catch (const std::exception&) {
    // The keys of any sweep are left.
  }
  return listed(keys);
}

}  // namespace graspmap
