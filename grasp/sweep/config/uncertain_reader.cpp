#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/config/key_list.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/laws.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kUncertainTable = "uncertain";
constexpr std::string_view kPieces = "part.piece.";
constexpr std::size_t kMostLaws = 100;

std::string dotted(const std::string& path, std::string_view word) {
  return path.empty() ? std::string(word) : fmt::format("{}.{}", path, word);
}

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
bool is_law_at(const toml::node& node, const std::string& key) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return !node.is_array();
  if (table->empty()) return names_number(key);
  return std::any_of(law_keys().begin(), law_keys().end(), [&](const ListedKey& law_key) {
    const toml::node* child = table->get(law_key.name);
    return child != nullptr && !child->is_table();
  });
}

/// Moves the laws in a node into `flat`, by their dotted keys.
void flatten_laws(toml::node& node, const std::string& key, toml::table& flat) {
  if (!key.empty() && is_law_at(node, key)) {
    if (flat.contains(key)) {
      throw config_error(location(node), dotted(std::string(kUncertainTable), key),
                         "is given twice; must be given once");
    }
    node.visit([&](auto& value) { flat.insert(key, std::move(value)); });
  } else if (toml::table* table = node.as_table()) {
    for (auto&& [name, child] : *table) flatten_laws(child, dotted(key, name.str()), flat);
  } else if (toml::array* list = node.as_array()) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      flatten_laws((*list)[k], dotted(key, std::to_string(k)), flat);
    }
  }
}

/// A number that an override sets would have no effect beside its law.
void check_override(const WrittenLaw& number, const WrittenLaw& law) {
  if (number.is_law || number.key != law.key) return;
  throw config_error(
      number.location, number.key,
      fmt::format("the number has a law in [uncertain], {}; change that one, --set "
                  "{}.{}=..., or take it away first, --set {}.{}=",
                  law.location.text(), kUncertainTable, law.key, kUncertainTable, law.key));
}

// ---- Ends ----

struct EndOfLaw {
  std::size_t law;
  double value;
  std::string_view name;
};

double lower_end(const Distribution& law) { return law.quantile(kLeastLevel); }
double upper_end(const Distribution& law) { return law.quantile(1.0 - kLeastLevel); }

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
std::string error_with(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                       const std::vector<EndOfLaw>& ends) {
  SweepConfig at = config;
  try {
    for (const EndOfLaw& end : ends) {
      ScenarioNumber::find(at.scenario, laws[end.law].key)->set(at.scenario, end.value);
    }
    check_values(at);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

[[noreturn]] void fail_law(const WrittenLaw& law, const std::string& text) {
  throw config_error(law.location, law.path, text);
}

void check_end(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
               const EndOfLaw& end) {
  const std::string error = error_with(config, laws, {end});
  if (error.empty()) return;
  fail_law(laws[end.law],
           fmt::format("the distribution's {} is {:.6g}: {}", end.name, end.value, error));
}

/// Corner 0 has all lower ends, 1 all upper ones, others are chosen by chance.
void check_corner(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                  std::uint64_t corner) {
  constexpr std::uint64_t kSeed = 20240;
  std::vector<EndOfLaw> ends;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const bool by_chance = uniform_open(kSeed, corner, static_cast<std::uint32_t>(k)) > 0.5;
    const bool is_upper = corner == 1 || (corner > 1 && by_chance);
    const double value = is_upper ? upper_end(laws[k].law) : lower_end(laws[k].law);
    ends.push_back({k, value, ""});
    texts.push_back(fmt::format("{} = {:.6g}", laws[k].key, value));
  }
  const std::string error = error_with(config, laws, ends);
  if (error.empty()) return;
  fail_law(laws[0], fmt::format("with all distributions at one of their ends, {}: {}",
                                fmt::join(texts, ", "), error));
}

/// Laws by their keys, each once: of two laws for a number, the one that an override gives. Throws
/// for two others.
std::vector<WrittenLaw> each_once(std::vector<WrittenLaw> laws) {
  std::stable_sort(laws.begin(), laws.end(),
                   [](const WrittenLaw& a, const WrittenLaw& b) { return a.key < b.key; });
  std::vector<WrittenLaw> kept;
  for (WrittenLaw& law : laws) {
    if (kept.empty() || kept.back().key != law.key) {
      kept.push_back(std::move(law));
      continue;
    }
    WrittenLaw& other = kept.back();
    if (is_override(other.location.source) == is_override(law.location.source)) {
      fail_law(law, fmt::format("is given twice, also as {} ({}); must be given once", other.path,
                                other.location.text()));
    }
    if (is_override(law.location.source)) other = std::move(law);
  }
  return kept;
}

}  // namespace

void flatten_uncertain(toml::table& document) {
  toml::table* uncertain = document.get_as<toml::table>(kUncertainTable);
  if (uncertain == nullptr) return;
  toml::table flat;
  flatten_laws(*uncertain, "", flat);
  // A table keeps its place in the file when its content changes.
  uncertain->clear();
  for (auto&& [key, law] : flat) {
    law.visit([&, name = key](auto& value) { uncertain->insert(name, std::move(value)); });
  }
}

std::vector<WrittenLaw> read_uncertain(const TomlTable& uncertain, std::vector<WrittenLaw> in_place,
                                       const std::filesystem::path& folder, SweepConfig& config) {
  std::vector<WrittenLaw> laws = std::move(in_place);
  for (const std::string& key : scenario_number_keys(config.scenario)) {
    const std::string given = uncertain.given(key);
    if (given.empty()) continue;
    const Distribution law = read_distribution(uncertain, given, kAnyNumber, folder);
    laws.push_back({key, uncertain.path_of(given), uncertain.location_of(given),
                    given == key ? law : law.scaled(kDegree_rad)});
    for (const WrittenLaw& number : laws) check_override(number, laws.back());
  }
  uncertain.check_keys();
  std::erase_if(laws, [](const WrittenLaw& law) { return !law.is_law; });
  if (laws.size() > kMostLaws) {
    fail_law(laws[kMostLaws],
             fmt::format("is one of {} distributions; must be {} at most", laws.size(), kMostLaws));
  }
  laws = each_once(std::move(laws));
  for (const WrittenLaw& law : laws) {
    const auto number = ScenarioNumber::find(config.scenario, law.key);
    if (!number) fail_law(law, "has no effect here; must be left out");
    if (!law.law.is_fixed()) {
      config.uncertain.push_back({law.key, law.law, *number});
      continue;
    }
    try {
      number->set(config.scenario, law.law.mean());
    } catch (const ConfigError& error) {
      fail_law(law, error.what());
    }
  }
  return laws;
}

void check_ends(const SweepConfig& config, const std::vector<WrittenLaw>& laws) {
  constexpr std::uint64_t kCorners = 10;
  std::size_t with_width = 0;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].law.is_fixed()) {
      check_end(config, laws, {k, laws[k].law.mean(), "value"});
      continue;
    }
    ++with_width;
    check_end(config, laws, {k, lower_end(laws[k].law), "lower end (quantile 1e-9)"});
    check_end(config, laws, {k, upper_end(laws[k].law), "upper end (quantile 1 - 1e-9)"});
  }
  for (std::uint64_t corner = 0; with_width > 1 && corner < kCorners; ++corner) {
    check_corner(config, laws, corner);
  }
}

}  // namespace graspmap
