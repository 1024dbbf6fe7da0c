#include "grasp/sweep/config/config_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

struct KindText {
  TomlKind kind;
  std::array<std::string_view, 2> keys;  ///< that only it has
  std::string_view is;
  std::string_view give;
};

constexpr std::array kKinds = {
    KindText{TomlKind::kSweep,
             {"part", "gripper"},
             "the configuration of a sweep, for graspmap run",
             "the configuration of a sweep, with [part] and [gripper]"},
    KindText{TomlKind::kScene,
             {"body", "link"},
             "a scene, for graspmap-lab simulate",
             "a scene, with [[body]] or [[link]]"},
    KindText{TomlKind::kFacts,
             {"fact", "fact"},
             "a file of published facts, for graspmap compare",
             "published facts, with [[fact]]"},
};

const toml::node* own_key(const toml::table& document, const KindText& kind,
                          std::string_view& key) {
  for (const std::string_view name : kind.keys) {
    if (const toml::node* node = document.get(name)) {
      key = name;
      return node;
    }
  }
  return nullptr;
}

}  // namespace

void check_toml_kind(const toml::table& document, TomlKind expected) {
  const auto is_expected = [&](const KindText& kind) { return kind.kind == expected; };
  const KindText& wanted = *std::find_if(kKinds.begin(), kKinds.end(), is_expected);
  std::string_view key;
  if (own_key(document, wanted, key) != nullptr) return;
  for (const KindText& other : kKinds) {
    const toml::node* node = own_key(document, other, key);
    if (node == nullptr) continue;
    throw config_error(location(*node), key,
                       fmt::format("this is {}; give {}", other.is, wanted.give));
  }
}

std::string written_toml(std::string_view text, const std::string& source,
                         const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  std::ostringstream written;
  written << document << "\n";
  return written.str();
}

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

std::vector<AskedKey> listed(const Keys& keys) {
  std::vector<AskedKey> list;
  for (const auto& [path, words] : keys) list.push_back({path, words});
  return list;
}

Keys all_keys() {
  Keys keys;
  const auto add_keys_with = [&](const std::string& assignment) {
    toml::table document = parse_toml(kEveryTable, "keys");
    apply_override(document, assignment);
    add_keys(document, {}, keys);
  };
  add_keys(parse_toml(kEveryTable, "keys"), {}, keys);
  for (const char* assignment : kOtherChoices) add_keys_with(assignment);
  const Keys first = keys;
  for (const auto& [path, words] : first) {
    for (const std::string& word : words) {
      if (word != "true" && word != "false") add_keys_with(fmt::format("{}={}", path, word));
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

namespace {

/// Values by their dotted keys.
using FlatConfig = std::map<std::string, std::string>;

std::string value_text(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* truth = node.as_boolean()) return fmt::format("{}", truth->get());
  std::vector<std::string> values;  // of a list: to_toml writes no dates
  for (const toml::node& element : *node.as_array()) values.push_back(value_text(element));
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// True for the points of an outline, which are compared one by one.
bool is_list_of_lists(const toml::node& node) {
  const toml::array* list = node.as_array();
  return list != nullptr && !list->empty() && (*list)[0].is_array();
}

void flatten(const toml::node& node, const std::string& key, FlatConfig& values) {
  const auto below = [&](std::string_view name) {
    return key.empty() ? std::string(name) : fmt::format("{}.{}", key, name);
  };
  if (const toml::table* table = node.as_table()) {
    for (const auto& [name, child] : *table) flatten(child, below(name.str()), values);
  } else if (node.is_array_of_tables() || is_list_of_lists(node)) {
    std::size_t number = 0;
    for (const toml::node& child : *node.as_array()) {
      flatten(child, below(std::to_string(number++)), values);
    }
  } else {
    values[key] = value_text(node);
  }
}

FlatConfig flat_config(std::string_view toml) {
  FlatConfig values;
  flatten(parse_toml(toml, "a stored configuration"), "", values);
  return values;
}

}  // namespace

std::vector<ConfigDifference> config_differences(std::string_view first_toml,
                                                 std::string_view second_toml) {
  constexpr const char* kNotGiven = "not given";
  std::map<std::string, ConfigDifference> pairs;
  for (const auto& [key, value] : flat_config(first_toml)) pairs[key] = {key, value, kNotGiven};
  for (const auto& [key, value] : flat_config(second_toml)) {
    pairs.try_emplace(key, ConfigDifference{key, kNotGiven, {}}).first->second.second = value;
  }
  std::vector<ConfigDifference> differences;
  for (const auto& [key, pair] : pairs) {
    if (pair.first != pair.second) differences.push_back(pair);
  }
  return differences;
}

std::string sweep_differences_text(std::string_view first_toml, std::string_view second_toml) {
  constexpr std::size_t kMostShown = 5;
  auto differences = config_differences(first_toml, second_toml);
  std::erase_if(differences, [](const ConfigDifference& d) {
    return d.key == "sweep.trials_per_cell" || d.key == "sweep.adaptive.most_trials";
  });
  std::vector<std::string> texts;
  for (const ConfigDifference& d : differences) {
    if (texts.size() == kMostShown) {
      texts.push_back(fmt::format("{} more", differences.size() - kMostShown));
      break;
    }
    texts.push_back(fmt::format("{} ({} and {})", d.key, d.first, d.second));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace graspmap
