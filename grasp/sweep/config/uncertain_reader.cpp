#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kUncertainTable = "uncertain";
constexpr std::string_view kPieces = "part.piece.";
constexpr std::size_t kMostDistributions = 100;

// ---- [uncertain] ----

/// True for the key of a number of some scenario.
bool names_number(const std::string& key) {
  constexpr std::string_view kOfPiece = "part.piece.NAME";
  const std::vector<std::string>& keys = possible_number_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& known) {
    return known == key || (known.starts_with(kOfPiece) && key.starts_with(kPieces) &&
                            key.ends_with(known.substr(kOfPiece.size())));
  });
}

/// An empty table is one where a key of a number stands; others are what --set leaves.
bool is_distribution_at(const toml::node& node, const std::string& key) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return !node.is_array();
  if (table->empty()) return names_number(key);
  return std::any_of(keys_of_distributions().begin(), keys_of_distributions().end(),
                     [&](const ListedKey& listed) {
                       const toml::node* child = table->get(listed.name);
                       return child != nullptr && !child->is_table();
                     });
}

/// Moves the distributions in a node into `flat`, by their dotted keys.
void flatten_distributions(toml::node& node, const std::string& key, toml::table& flat) {
  if (!key.empty() && is_distribution_at(node, key)) {
    if (flat.contains(key)) {
      throw config_error(location(node), below(kUncertainTable, key),
                         "is given twice; must be given once");
    }
    node.visit([&](auto& value) { flat.insert(key, std::move(value)); });
  } else if (toml::table* table = node.as_table()) {
    for (auto&& [name, child] : *table) flatten_distributions(child, below(key, name.str()), flat);
  } else if (toml::array* list = node.as_array()) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      flatten_distributions((*list)[k], below(key, std::to_string(k)), flat);
    }
  }
}

/// A number that an override sets would have no effect beside its distribution.
void check_override(const WrittenInput& number, const WrittenInput& input) {
  if (number.is_random || number.key != input.key) return;
  throw config_error(
      number.location, number.key,
      fmt::format("the number has a distribution in [uncertain], {}; change that one, --set "
                  "{}.{}=..., or take it away first, --set {}.{}=",
                  input.location.text(), kUncertainTable, input.key, kUncertainTable, input.key));
}

// ---- Ends ----

struct InputEnd {
  std::size_t input;
  double value;
};

double lower_end(const Distribution& distribution) { return distribution.quantile(kLeastLevel); }
double upper_end(const Distribution& distribution) {
  return distribution.quantile(1.0 - kLeastLevel);
}

/// Throws unless the values of a configuration go together.
void check_values(const SweepConfig& config) {
  const auto fail = [](const std::string& key, const std::string& text) {
    throw config_error({}, key, text);
  };
  check_numbers(config.scenario, fail);
  check_scenario(config.scenario, fail);
  for (std::size_t k = 0; k < config.success.size(); ++k) {
    const std::string fault = opening_fault(config.success[k], config.scenario);
    if (!fault.empty()) fail(fmt::format("success.{}.opening_mm", k), fault);
  }
}

/// What is wrong with the scenario with some values; "" when nothing is.
std::string error_with(const SweepConfig& config, const std::vector<WrittenInput>& inputs,
                       const std::vector<InputEnd>& ends) {
  SweepConfig at = config;
  try {
    for (const InputEnd& end : ends) {
      ScenarioNumber::find(at.scenario, inputs[end.input].key)->set(at.scenario, end.value);
    }
    check_values(at);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

[[noreturn]] void fail_at(const WrittenInput& input, const std::string& text) {
  throw config_error(input.location, input.path, text);
}

void check_end(const SweepConfig& config, const std::vector<WrittenInput>& inputs,
               const InputEnd& end, std::string_view name) {
  const std::string error = error_with(config, inputs, {end});
  if (error.empty()) return;
  fail_at(inputs[end.input],
          fmt::format("the distribution's {} is {:.6g}: {}", name, end.value, error));
}

/// Corner 0 has all lower ends, 1 all upper ones, others are chosen by chance.
void check_corner(const SweepConfig& config, const std::vector<WrittenInput>& inputs,
                  std::uint64_t corner) {
  constexpr std::uint64_t kSeed = 20240;
  std::vector<InputEnd> ends;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const bool by_chance = uniform_open(kSeed, corner, static_cast<std::uint32_t>(k)) > 0.5;
    const bool is_upper = corner == 1 || (corner > 1 && by_chance);
    const double value =
        is_upper ? upper_end(inputs[k].distribution) : lower_end(inputs[k].distribution);
    ends.push_back({k, value});
    texts.push_back(fmt::format("{} = {:.6g}", inputs[k].key, value));
  }
  const std::string error = error_with(config, inputs, ends);
  if (error.empty()) return;
  fail_at(inputs[0], fmt::format("with all distributions at one of their ends, {}: {}",
                                 fmt::join(texts, ", "), error));
}

/// Distributions by their keys, each once: of two inputs for a number, the one that an
/// override gives. Throws for two others.
std::vector<WrittenInput> each_once(std::vector<WrittenInput> inputs) {
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const WrittenInput& a, const WrittenInput& b) { return a.key < b.key; });
  std::vector<WrittenInput> kept;
  for (WrittenInput& input : inputs) {
    if (kept.empty() || kept.back().key != input.key) {
      kept.push_back(std::move(input));
      continue;
    }
    WrittenInput& other = kept.back();
    if (is_override(other.location.source) == is_override(input.location.source)) {
      fail_at(input, fmt::format("is given twice, also as {} ({}); must be given once", other.path,
                                 other.location.text()));
    }
    if (is_override(input.location.source)) other = std::move(input);
  }
  return kept;
}

}  // namespace

void flatten_uncertain(toml::table& document) {
  toml::table* uncertain = document.get_as<toml::table>(kUncertainTable);
  if (uncertain == nullptr) return;
  toml::table flat;
  flatten_distributions(*uncertain, "", flat);
  // A table keeps its place in the file when its content changes.
  uncertain->clear();
  for (auto&& [key, distribution] : flat) {
    distribution.visit([&, name = key](auto& value) { uncertain->insert(name, std::move(value)); });
  }
}

std::vector<WrittenInput> read_uncertain(const TomlTable& uncertain,
                                         std::vector<WrittenInput> in_place,
                                         const std::filesystem::path& folder, SweepConfig& config) {
  std::vector<WrittenInput> inputs = std::move(in_place);
  for (const std::string& key : scenario_number_keys(config.scenario)) {
    const std::string given = uncertain.given(key);
    if (given.empty()) continue;
    const Distribution distribution = read_distribution(uncertain, given, kAnyNumber, folder);
    inputs.push_back({key, uncertain.path_of(given), uncertain.location_of(given),
                      given == key ? distribution : distribution.scaled(kDegree_rad)});
    for (const WrittenInput& number : inputs) check_override(number, inputs.back());
  }
  uncertain.check_keys();
  std::erase_if(inputs, [](const WrittenInput& input) { return !input.is_random; });
  if (inputs.size() > kMostDistributions) {
    fail_at(inputs[kMostDistributions],
            fmt::format("is one of {} distributions; must be {} at most", inputs.size(),
                        kMostDistributions));
  }
  inputs = each_once(std::move(inputs));
  for (const WrittenInput& input : inputs) {
    const auto number = ScenarioNumber::find(config.scenario, input.key);
    if (!number) fail_at(input, "has no effect here; must be left out");
    if (!input.distribution.is_fixed()) {
      config.uncertain.push_back({input.key, input.distribution, *number});
      continue;
    }
    try {
      number->set(config.scenario, input.distribution.mean());
    } catch (const ConfigError& error) {
      fail_at(input, error.what());
    }
  }
  return inputs;
}

void check_ends(const SweepConfig& config, const std::vector<WrittenInput>& inputs) {
  constexpr std::uint64_t kCorners = 10;
  std::size_t with_width = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].distribution.is_fixed()) {
      check_end(config, inputs, {k, inputs[k].distribution.mean()}, "value");
      continue;
    }
    ++with_width;
    check_end(config, inputs, {k, lower_end(inputs[k].distribution)}, "lower end (quantile 1e-9)");
    check_end(config, inputs, {k, upper_end(inputs[k].distribution)},
              "upper end (quantile 1 - 1e-9)");
  }
  for (std::uint64_t corner = 0; with_width > 1 && corner < kCorners; ++corner) {
    check_corner(config, inputs, corner);
  }
}

}  // namespace graspmap
