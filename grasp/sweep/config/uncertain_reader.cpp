#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/config/laws.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kUncertain = "uncertain";
constexpr std::string_view kPieces = "part.piece.";
constexpr std::size_t kMostLaws = 100;
constexpr std::array kLawKeys = {
    "distribution", "value",   "mean",  "sigma",  "lot_sigma", "part_sigma", "min",  "mode", "max",
    "values",       "weights", "edges", "counts", "file",      "column",     "bins", "scale"};

std::string below(const std::string& path, std::string_view word) {
  return path.empty() ? std::string(word) : fmt::format("{}.{}", path, word);
}

/// True for the keys that have laws without [uncertain].
bool reads_laws_itself(const std::string& path) {
  return path == "friction.jaw" || path == "friction.support" ||
         path.starts_with("placement.noise.");
}

// ---- Keys ----

/// The length of the index in "0.angle_rad".
std::size_t index_length(std::string_view text) {
  const std::size_t end = text.find('.');
  const std::string_view index = text.substr(0, end);
  return index.find_first_not_of("0123456789") == std::string_view::npos ? index.size() : 0;
}

/// A path with `word` in place of the piece's index.
std::string with_piece(const std::string& path, std::string_view word) {
  if (!path.starts_with(kPieces)) return path;
  const std::size_t length = index_length(std::string_view(path).substr(kPieces.size()));
  if (length == 0) return path;
  return fmt::format("{}{}{}", kPieces, word, path.substr(kPieces.size() + length));
}

/// The name of the piece that a path leads into; "" when it has none, which its reader says.
std::string piece_name(const toml::table& document, const std::string& path) {
  if (!path.starts_with(kPieces)) return {};
  const std::string_view rest = std::string_view(path).substr(kPieces.size());
  const auto piece = fmt::format("{}[{}]", "part.piece", rest.substr(0, index_length(rest)));
  return document.at_path(piece + ".name").value_or(std::string());
}

/// The nodes under the names and indices of a dotted key, pieces by their names. Null where the
/// document lacks it.
const toml::node* node_of(const toml::table& document, const std::string& key) {
  const toml::node* node = &document;
  std::string_view rest = key;
  if (rest.starts_with(kPieces)) {
    const toml::array* pieces = document.at_path("part.piece").as_array();
    node = nullptr;
    for (std::size_t k = 0; pieces != nullptr && k < pieces->size() && node == nullptr; ++k) {
      const toml::table* piece = (*pieces)[k].as_table();
      const std::string name = piece == nullptr ? "" : (*piece)["name"].value_or(std::string());
      if (name.empty() || !rest.substr(kPieces.size()).starts_with(name + ".")) continue;
      node = piece;
      rest = rest.substr(kPieces.size() + name.size() + 1);
    }
  }
  while (node != nullptr && !rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('.'));
    rest = word.size() == rest.size() ? "" : rest.substr(word.size() + 1);
    if (const toml::array* list = node->as_array()) {
      node = index_length(word) == 1 ? list->get(static_cast<std::size_t>(word[0] - '0')) : nullptr;
    } else {
      node = node->is_table() ? node->as_table()->get(word) : nullptr;
    }
  }
  return node;
}

// ---- Laws in place ----

[[noreturn]] void fail_at(const toml::node& node, const std::string& path,
                          const std::string& text) {
  throw config_error(location(node), path, text);
}

void check_may_be_uncertain(const toml::node& node, const std::string& path) {
  const std::vector<std::string> keys = possible_number_keys();
  if (std::find(keys.begin(), keys.end(), with_piece(path, "NAME")) != keys.end()) return;
  fail_at(
      node, path,
      fmt::format("may not be a distribution; must be one value. Distributions may be: "
                  "friction.jaw, friction.support, placement.noise.x_mm, y_mm and theta_rad, {}",
                  fmt::join(keys, ", ")));
}

/// A number that messages place at `source`.
toml::value<double> number_at(const toml::source_region& source, double value) {
  const std::string lines(std::max<toml::source_index>(source.begin.line, 1) - 1, '\n');
  toml::table table = parse_toml(lines + "value = 0.0", source.path ? *source.path : "");
  toml::value<double>& number = *table.get("value")->as_floating_point();
  *number = value;
  return std::move(number);
}

/// Finds laws in a node and below it, and moves them out.
class LawTaker {
 public:
  LawTaker(const toml::table& document, const std::filesystem::path& folder)
      : document_(document), folder_(folder) {}

  void visit(toml::node& node, const std::string& path) {
    if (toml::table* table = node.as_table()) {
      for (auto&& [key, child] : *table) visit_child(child, below(path, key.str()));
    } else if (toml::array* list = node.as_array()) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        visit_child((*list)[k], below(path, std::to_string(k)));
      }
    }
    replace_found(node);
  }

  [[nodiscard]] std::vector<WrittenLaw> take() && { return std::move(laws_); }

 private:
  /// A child to be replaced by the median of its law, by its key or index.
  struct Found {
    std::string word;
    toml::value<double> median;
  };

  void visit_child(toml::node& child, const std::string& path) {
    const toml::table* table = child.as_table();
    const bool is_nested = path.find('.') != std::string::npos;
    if (table == nullptr || !is_nested || !table->contains("distribution")) {
      if (!reads_laws_itself(path)) visit_below(child, path);
      return;
    }
    if (reads_laws_itself(path)) return;
    check_may_be_uncertain(child, path);
    WrittenLaw law{with_piece(path, piece_name(document_, path)), path, location(child), {}};
    const toml::source_region source = child.source();
    read_law(std::move(*child.as_table()), law);
    found_.push_back({path.substr(path.rfind('.') + 1), number_at(source, law.law.quantile(0.5))});
    laws_.push_back(std::move(law));
  }

  void visit_below(toml::node& child, const std::string& path) {
    std::vector<Found> above = std::move(found_);
    found_.clear();
    visit(child, path);
    found_ = std::move(above);
  }

  void read_law(toml::table&& table, WrittenLaw& law) const {
    toml::table alone;
    alone.insert(law.path, std::move(table));
    const auto read = [&](const TomlTable& parent) {
      return read_distribution(parent, law.path, kAnyNumber, folder_);
    };
    law.keys = keys_asked_for(alone, read);
    law.law = read_toml(alone, read);
  }

  void replace_found(toml::node& parent) {
    for (Found& found : found_) {
      if (toml::table* table = parent.as_table()) {
        table->insert_or_assign(found.word, std::move(found.median));
      } else {
        toml::array& list = *parent.as_array();
        list.replace(list.cbegin() + std::stol(found.word), std::move(found.median));
      }
    }
    found_.clear();
  }

  const toml::table& document_;
  const std::filesystem::path& folder_;
  std::vector<WrittenLaw> laws_;
  std::vector<Found> found_;  ///< in the node that is visited
};

// ---- [uncertain] ----

/// True for the key of a number of some scenario.
bool names_number(const std::string& key) {
  constexpr std::string_view kOfPiece = "part.piece.NAME";
  const std::vector<std::string> keys = possible_number_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& known) {
    return known == key || (known.starts_with(kOfPiece) && key.starts_with(kPieces) &&
                            key.ends_with(known.substr(kOfPiece.size())));
  });
}

/// An empty table is one where a key of a number stands; others are what --set leaves.
bool is_law(const toml::node& node, const std::string& key) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return !node.is_array();
  if (table->empty()) return names_number(key);
  return std::any_of(kLawKeys.begin(), kLawKeys.end(), [&](const char* law_key) {
    const toml::node* child = table->get(law_key);
    return child != nullptr && !child->is_table();
  });
}

/// Moves the laws in a node into `flat`, by their dotted keys.
void flatten_laws(toml::node& node, const std::string& key, toml::table& flat) {
  if (!key.empty() && is_law(node, key)) {
    if (flat.contains(key)) {
      fail_at(node, below(std::string(kUncertain), key), "is given twice; must be given once");
    }
    node.visit([&](auto& value) { flat.insert(key, std::move(value)); });
  } else if (toml::table* table = node.as_table()) {
    for (auto&& [name, child] : *table) flatten_laws(child, below(key, name.str()), flat);
  } else if (toml::array* list = node.as_array()) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      flatten_laws((*list)[k], below(key, std::to_string(k)), flat);
    }
  }
}

/// A number that an override sets would have no effect beside its law.
void check_override(const toml::table& document, const std::string& key, const toml::node& law) {
  const toml::node* number = node_of(document, key);
  if (number == nullptr || number->is_table() || !is_override(location(*number))) return;
  fail_at(*number, key,
          fmt::format("the number has a law in [uncertain], {}; change that one, --set "
                      "{}.{}=..., or take it away first, --set {}.{}=",
                      location(law), kUncertain, key, kUncertain, key));
}

void flatten_uncertain(toml::table& document) {
  toml::table* uncertain = document.get_as<toml::table>(kUncertain);
  if (uncertain == nullptr) return;
  toml::table flat;
  flatten_laws(*uncertain, "", flat);
  for (const auto& [key, law] : flat) check_override(document, std::string(key.str()), law);
  // A table keeps its place in the file when its content changes.
  uncertain->clear();
  for (auto&& [key, law] : flat) {
    law.visit([&, name = key](auto& value) { uncertain->insert(name, std::move(value)); });
  }
}

// ---- Ends ----

struct EndOfLaw {
  std::size_t law;
  double value;
  std::string_view name;
};

double lower_end(const Distribution& law) { return law.quantile(kLeastLevel); }
double upper_end(const Distribution& law) { return law.quantile(1.0 - kLeastLevel); }

/// The error of `read` for the scenario with some values; "" when it accepts them.
std::string error_with(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                       const std::vector<EndOfLaw>& ends,
                       const std::function<void(const SweepConfig&)>& read) {
  SweepConfig at = config;
  at.uncertain.clear();
  at.correlated.clear();
  try {
    for (const EndOfLaw& end : ends) {
      ScenarioNumber::find(at.scenario, laws[end.law].key)->set(at.scenario, end.value);
    }
    read(at);
    return "";
  } catch (const ConfigError& error) {
    const std::string_view message = error.what();
    const std::size_t end = message.find(": ");  // behind source and line
    return std::string(end == std::string_view::npos ? message : message.substr(end + 2));
  }
}

[[noreturn]] void fail_law(const WrittenLaw& law, const std::string& text) {
  throw config_error(law.location, law.path, text);
}

void check_end(const SweepConfig& config, const std::vector<WrittenLaw>& laws, const EndOfLaw& end,
               const std::function<void(const SweepConfig&)>& read) {
  const std::string error = error_with(config, laws, {end}, read);
  if (error.empty()) return;
  fail_law(laws[end.law],
           fmt::format("the distribution's {} is {:.6g}: {}", end.name, end.value, error));
}

/// Corner 0 has all lower ends, 1 all upper ones, others are chosen by chance.
void check_corner(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                  std::uint64_t corner, const std::function<void(const SweepConfig&)>& read) {
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
  const std::string error = error_with(config, laws, ends, read);
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
    if (is_override(other.location) == is_override(law.location)) {
      fail_law(law, fmt::format("is given twice, also as {} ({}); must be given once", other.path,
                                other.location));
    }
    if (is_override(law.location)) other = std::move(law);
  }
  return kept;
}

}  // namespace

std::vector<WrittenLaw> take_laws(toml::table& document, const std::filesystem::path& folder) {
  flatten_uncertain(document);
  LawTaker taker(document, folder);
  for (auto&& [key, node] : document) {
    if (key.str() != kUncertain) taker.visit(node, std::string(key.str()));
  }
  return std::move(taker).take();
}

std::vector<WrittenLaw> read_uncertain(const toml::table& document, const TomlTable& uncertain,
                                       const std::vector<WrittenLaw>& in_place,
                                       const std::filesystem::path& folder, SweepConfig& config) {
  std::vector<WrittenLaw> laws = in_place;
  for (const std::string& key : scenario_number_keys(config.scenario)) {
    if (!uncertain.has(key)) continue;
    laws.push_back({key, below(std::string(kUncertain), key),
                    location(*document[kUncertain].as_table()->get(key)),
                    read_distribution(uncertain, key, kAnyNumber, folder)});
  }
  uncertain.check_keys();
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

void check_ends(const SweepConfig& config, const std::vector<WrittenLaw>& laws,
                const std::function<void(const SweepConfig&)>& read) {
  constexpr std::uint64_t kCorners = 10;
  std::size_t with_width = 0;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (laws[k].law.is_fixed()) {
      check_end(config, laws, {k, laws[k].law.mean(), "value"}, read);
      continue;
    }
    ++with_width;
    check_end(config, laws, {k, lower_end(laws[k].law), "lower end (quantile 1e-9)"}, read);
    check_end(config, laws, {k, upper_end(laws[k].law), "upper end (quantile 1 - 1e-9)"}, read);
  }
  for (std::uint64_t corner = 0; with_width > 1 && corner < kCorners; ++corner) {
    check_corner(config, laws, corner, read);
  }
}

}  // namespace graspmap
