#include "grasp/sweep/config/config_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

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

/// The first key of a document that only this kind has; "" without one.
std::string_view own_key(const toml::table& document, const KindText& kind) {
  for (const std::string_view key : kind.keys) {
    if (document.contains(key)) return key;
  }
  return "";
}

std::string written_text(const toml::table& document) {
  std::ostringstream written;
  written << document << "\n";
  return written.str();
}

}  // namespace

void check_toml_kind(const toml::table& document, TomlKind expected) {
  const auto is_expected = [&](const KindText& kind) { return kind.kind == expected; };
  const KindText& wanted = *std::find_if(kKinds.begin(), kKinds.end(), is_expected);
  if (!own_key(document, wanted).empty()) return;
  for (const KindText& other : kKinds) {
    const std::string_view key = own_key(document, other);
    if (key.empty()) continue;
    throw config_error(location(*document.get(key)), key,
                       fmt::format("this is {}; give {}", other.is, wanted.give));
  }
}

std::string written_toml(std::string_view text, const std::string& source,
                         const std::vector<std::string>& overrides) {
  return written_text(parse_toml(text, source, overrides));
}

std::string with_table_of(std::string_view text, const std::string& source, std::string_view table,
                          std::string_view other, const std::string& other_source) {
  toml::table document = parse_toml(text, source);
  const toml::table from = parse_toml(other, other_source);
  document.erase(table);
  if (const toml::node* node = from.get(table)) document.insert(table, *node);
  return written_text(document);
}

namespace {

/// Values by their dotted keys.
using FlatConfig = std::map<std::string, std::string>;

/// No trial depends on these.
constexpr std::array<std::string_view, 2> kAfterTrials = {"robot", "design"};

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
  if (const toml::table* table = node.as_table()) {
    for (const auto& [name, child] : *table) flatten(child, below(key, name.str()), values);
  } else if (node.is_array_of_tables() || is_list_of_lists(node)) {
    std::size_t number = 0;
    for (const toml::node& child : *node.as_array()) {
      flatten(child, below(key, std::to_string(number++)), values);
    }
  } else {
    values[key] = value_text(node);
  }
}

FlatConfig flat_config(std::string_view toml) {
  FlatConfig values;
  toml::table document = parse_toml(toml, "a stored configuration");
  for (const std::string_view table : kAfterTrials) document.erase(table);
  document["part"].as_table()->erase("thickness_mm");
  flatten(document, "", values);
  return values;
}

}  // namespace

std::string json_of(const SweepConfig& config) {
  std::ostringstream json;
  json << toml::json_formatter(parse_toml(to_toml(config), config.name), toml::format_flags::none);
  return json.str();
}

std::vector<ConfigDifference> config_differences(const SweepConfig& first,
                                                 const SweepConfig& second) {
  constexpr const char* kNotGiven = "not given";
  const auto has_shapes = [](const SweepConfig& config) {
    return std::pair{config.scenario.right_shape.has_value(),
                     config.scenario.left_shape.has_value()};
  };
  const FingersAs fingers =
      has_shapes(first) == has_shapes(second) ? FingersAs::kShapes : FingersAs::kOutlines;
  std::map<std::string, ConfigDifference> pairs;
  for (const auto& [key, value] : flat_config(to_toml(first, fingers)))
    pairs[key] = {key, value, kNotGiven};
  for (const auto& [key, value] : flat_config(to_toml(second, fingers))) {
    pairs.try_emplace(key, ConfigDifference{key, kNotGiven, {}}).first->second.second = value;
  }
  std::vector<ConfigDifference> differences;
  for (const auto& [key, pair] : pairs) {
    if (pair.first != pair.second) differences.push_back(pair);
  }
  return differences;
}

std::string sweep_differences_text(const SweepConfig& first, const SweepConfig& second) {
  constexpr std::size_t kMostShown = 5;
  auto differences = config_differences(first, second);
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
