#include "grasp/sweep/config/config_difference.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>

#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

/// Values by their dotted keys.
using FlatConfig = std::map<std::string, std::string>;

std::string list_text(const toml::array& list);

std::string value_text(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* truth = node.as_boolean()) return fmt::format("{}", truth->get());
  if (const auto* list = node.as_array()) return list_text(*list);
  return {};  // to_toml writes no dates
}

std::string list_text(const toml::array& list) {
  std::vector<std::string> values;
  for (const toml::node& node : list) values.push_back(value_text(node));
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
