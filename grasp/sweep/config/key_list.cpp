#include "grasp/sweep/config/key_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

using Form = ListedTable::Form;

std::string quoted_words(const std::vector<std::string_view>& words) {
  return fmt::format("\"{}\"", fmt::join(words, "\" or \""));
}

/// Lists the rows that it is shown. Members have their default values.
class KeyLister {
 public:
  explicit KeyLister(std::vector<ListedKey>& keys) : keys_(keys) {}

  void operator()(const KeyRow& row, const double& value) {
    add(row, KeyKind::kNumber, fmt::format("{}", value));
  }
  void operator()(const KeyRow& row, const double& a, const double& b) {
    add(row, KeyKind::kPair, fmt::format("[{}, {}]", a, b));
  }
  void operator()(const KeyRow& row, const Vec2& v) { (*this)(row, v.x(), v.y()); }
  template <std::integral Number>
  void operator()(const KeyRow& row, const Number& value) {
    add(row, KeyKind::kInteger, fmt::format("{}", value));
  }
  void operator()(const KeyRow& row, const bool& truth) {
    add(row, KeyKind::kTruth, fmt::format("{}", truth), {"true", "false"});
  }
  template <typename T>
  void operator()(const KeyRow& row, const std::optional<T>& /*none*/) {
    (*this)(row, T{});
  }
  void operator()(const KeyRow& row, const std::optional<std::array<double, 2>>& /*none*/) {
    add(row, KeyKind::kNumberOrPair, "");
  }
  void operator()(const KeyRow& row, const std::string& /*text*/) { add(row, KeyKind::kText, ""); }
  template <typename Text>
  void operator()(const KeyRow& row, const std::vector<Text>& /*texts*/) {
    add(row, KeyKind::kTexts, "[]");
  }
  void operator()(const KeyRow& row, const std::optional<Window>& /*window*/) {
    add(row, KeyKind::kPair, "none");
  }
  void operator()(const KeyRow& row, const Distribution& distribution) {
    add(row, KeyKind::kDistribution, fmt::format("{}", distribution.mean()));
  }
  template <std::size_t N>
  void operator()(const KeyRow& row, const std::array<double, N>& /*numbers*/) {
    add(row, KeyKind::kNumbers, "");
  }
  template <typename Words, typename Choice>
  void choice(const KeyRow& row, const Words& words, const Choice& choice) {
    add(row, KeyKind::kWord, fmt::format("`\"{}\"`", words[static_cast<std::size_t>(choice)]),
        {words.begin(), words.end()});
  }
  void listed(const KeyRow& row, KeyKind kind) { add(row, kind, ""); }
  static bool has(bool /*truth*/) { return true; }
  static bool writes(bool /*truth*/) { return true; }

 private:
  void add(const KeyRow& row, KeyKind kind, std::string value,
           std::vector<std::string_view> words = {}) {
    const auto known = std::find_if(keys_.begin(), keys_.end(),
                                    [&](const ListedKey& key) { return key.name == row.name; });
    if (known != keys_.end()) {  // of two support models
      known->groups.push_back(row.extras.group);
      return;
    }
    ListedKey key{row.name,         kind, row.quantity,    row.use, row.sentence,
                  std::move(value), {},   std::move(words)};
    if (key.is(kRequired)) key.fallback = "-";
    if (!row.extras.fallback.empty()) key.fallback = row.extras.fallback;
    if (!row.extras.group.empty()) key.groups.push_back(row.extras.group);
    keys_.push_back(std::move(key));
  }

  std::vector<ListedKey>& keys_;
};

template <typename Show>
ListedTable table_of(ListedTable table, const Show& show) {
  KeyLister lister(table.keys);
  show(lister);
  return table;
}

template <std::size_t... I>
void list_supports(KeyLister& keys, std::index_sequence<I...> /*models*/) {
  const auto list = [&](auto model) { support_keys(keys, model); };
  (list(std::variant_alternative_t<I, SupportModel>{}), ...);
}

std::vector<ListedTable> all_tables() {
  // The rows are those that read and write a configuration, so they need members to point at. What
  // is listed as a key's default is the member's, unless its row says otherwise.
  const SweepConfig config;
  const std::size_t none = 0;
  const AdaptiveSampling adaptive;
  const SuccessAlternative rule;
  const DeviceError device;
  const HoldRule hold;
  const DesignRule design;
  const DesignVariable variable;
  const DesignPart part;
  constexpr std::string_view kPadEither =
      "give normal_n_per_mm2 and spread_mm, or modulus_mpa, thickness_mm and height_mm";
  const auto pad = [](KeyLister& keys) {
    const Pad none_yet;
    pad_keys(keys, none_yet);
  };
  const auto finger = [](KeyLister& keys) {
    const FingerShape shape;
    finger_keys(keys, shape);
    outline_keys(keys);
  };
  return {
      table_of({""}, [&](auto& keys) { config_keys(keys, config); }),
      table_of({"part", Form::kOne, "",
                "give either mass_kg, center_of_mass_mm and inertia_kg_mm2, or density_kg_mm3 or "
                "material, and thickness_mm"},
               [&](auto& keys) {
                 part_keys(keys, config.scenario);
                 material_keys(keys, none);
               }),
      table_of({"part.piece", Form::kList, "",
                "must be a list of 2 finite numbers, or outline_mm or file must be given"},
               [](auto& keys) {
                 const Piece piece;
                 piece_keys(keys, piece);
                 superellipse_keys(keys, piece.shape);
                 outline_keys(keys);
               }),
      table_of({"gripper"},
               [&](auto& keys) {
                 gripper_model_keys(keys);
                 gripper_keys(keys, config.scenario.gripper);
               }),
      table_of({"gripper.finger", Form::kOneOrNone}, finger),
      table_of({"gripper.left_finger", Form::kOneOrNone}, finger),
      table_of({"gripper.pad", Form::kOneOrNone, "", kPadEither}, pad),
      table_of({"gripper.left_pad", Form::kOneOrNone, "", kPadEither}, pad),
      table_of({.path = "gripper.mount",
                .form = Form::kOneOrNone,
                .either = "give sideways_n_per_mm, turning_n_mm, or both",
                .exclusive = false},
               [](KeyLister& keys) { mount_keys(keys, kUsualMount); }),
      table_of({"gripper.palm", Form::kOneOrNone, "", "give outline_mm or file"},
               [](auto& keys) { outline_keys(keys); }),
      table_of({"support", Form::kOne, "model"},
               [&](auto& keys) {
                 // The keys of all models, each listed once.
                 support_model_keys(keys, none);
                 list_supports(keys, std::make_index_sequence<std::variant_size_v<SupportModel>>());
               }),
      table_of({"friction"}, [&](auto& keys) { friction_keys(keys, config); }),
      table_of({"correlated", Form::kListOrNone}, [](auto& keys) { correlated_keys(keys); }),
      table_of({.path = "placement", .exclusive = true},
               [&](auto& keys) { placement_keys(keys, config.placement); }),
      table_of({"placement.noise", Form::kOneOrNone},
               [&](auto& keys) { noise_keys(keys, config.placement); }),
      table_of({"obstacle", Form::kListOrNone, "",
                "give point_mm and facing_rad, or outline_mm or file"},
               [](auto& keys) {
                 const std::string name;
                 const DrawnObstacle obstacle;
                 obstacle_keys(keys, name, obstacle);
                 outline_keys(keys);
               }),
      table_of({"program", Form::kListOrNone, "do"},
               [](auto& keys) {
                 const DrawnPhase phase;
                 phase_keys(keys, phase);
               }),
      table_of({"success", Form::kList}, [&](auto& keys) { success_keys(keys, rule); }),
      table_of({"hold", Form::kOneOrNone}, [&](auto& keys) { hold_keys(keys, hold); }),
      table_of({"design", Form::kOneOrNone}, [&](auto& keys) { design_keys(keys, design); }),
      table_of({"design.variable", Form::kListOrNone},
               [&](auto& keys) { design_variable_keys(keys, variable); }),
      table_of({"design.part", Form::kListOrNone},
               [&](auto& keys) { design_part_keys(keys, part); }),
      table_of({"robot", Form::kOneOrNone}, [&](auto& keys) { device_keys(keys, device); }),
      table_of({"robot.camera", Form::kOneOrNone}, [&](auto& keys) { device_keys(keys, device); }),
      table_of({"stop", Form::kOneOrNone},
               [&](auto& keys) { stop_keys(keys, config.scenario.stop); }),
      table_of({"simulation", Form::kOneOrNone},
               [&](auto& keys) {
                 simulation_keys(keys, config.scenario);
                 stepper_keys(keys, stepper_words(), stepper_integers());
               }),
      table_of({"sweep"}, [&](auto& keys) { trials_keys(keys, config, none); }),
      table_of({"sweep.adaptive", Form::kOneOrNone},
               [&](auto& keys) { adaptive_keys(keys, adaptive); }),
      table_of({"summary", Form::kOneOrNone}, [&](auto& keys) { summary_keys(keys, config); }),
  };
}

/// A table { distribution = ... }, wherever it stands.
const ListedTable& distribution_table() {
  static const ListedTable kTable = [] {
    ListedTable table = table_of({.path = "", .choice = "distribution"},
                                 [](auto& keys) { distribution_keys(keys); });
    for (ListedKey& key : table.keys) key.groups = distributions_with(key.name);
    return table;
  }();
  return kTable;
}

/// One table of a document, of the form of a listed one.
struct FoundTable {
  const toml::table* nodes;  ///< null where the document has none
  std::string path;
  InputPlace place;  ///< of what is around it, where it is missing
};

/// The tables of a document that a listed one stands for; none where something else is there, which
/// its reader says.
std::vector<FoundTable> tables_in(const toml::table& document, const ListedTable& listed) {
  const toml::node* node = &document;
  InputPlace place = location(document);
  for (std::string_view rest = listed.path; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (!node->is_table()) return {};
    node = node->as_table()->get(word);
    if (node == nullptr) return {{nullptr, std::string(listed.path), place}};
    place = location(*node);
  }
  if (!listed.is_list()) {
    if (!node->is_table()) return {};
    return {{node->as_table(), std::string(listed.path), place}};
  }
  std::vector<FoundTable> tables;
  const toml::array* list = node->as_array();
  for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) {
    const toml::node& element = *list->get(k);
    if (!element.is_table()) continue;
    tables.push_back(
        {element.as_table(), below(listed.path, std::to_string(k)), location(element)});
  }
  return tables;
}

bool is_distribution(const toml::node& node) {
  return node.is_table() && node.as_table()->contains("distribution");
}

/// The key as a table has it, maybe in degrees; null when it has none.
const toml::node* find_given(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  return node != nullptr ? node : table.get(in_degrees(key));
}

/// Looks for unknown, missing and other wrong keys in all tables of a document.
class KeyCheck {
 public:
  explicit KeyCheck(const toml::table& document) {
    for (const ListedTable& listed : config_tables()) {
      for (const FoundTable& found : tables_in(document, listed)) {
        if (found.nodes == nullptr) {
          tell_missing_table(listed, found);
        } else {
          check(listed, found);
        }
      }
    }
    if (const toml::table* uncertain = document["uncertain"].as_table()) {
      for (const auto& [name, node] : *uncertain) {
        check_distribution(node, below("uncertain", name.str()), kAnyNumber);
      }
    }
    if (!faults_.empty()) throw ConfigError(std::move(faults_));
  }

 private:
  void tell(InputPlace place, std::string_view path, std::string_view text) {
    faults_.push_back(ConfigFault::of(std::move(place), path, text));
  }

  void tell_missing_table(const ListedTable& listed, const FoundTable& found) {
    if (meant_.contains(found.path) || !listed.is_required()) return;
    const char* allowed = listed.is_list() ? "missing; must be one or more tables, [[{}]]"
                                           : "missing; must be a table, [{}]";
    tell(found.place, found.path, fmt::format(fmt::runtime(allowed), found.path));
    if (!listed.is_list()) check_missing(listed, toml::table(), found);
  }

  void check(const ListedTable& listed, const FoundTable& found) {
    const toml::table& table = *found.nodes;
    std::string word = listed.choice.empty() ? "" : table[listed.choice].value_or("");
    if (!word.empty() && !is_word_of(*listed.find(listed.choice), word)) word.clear();
    for (const auto& [name, node] : table) check_known(listed, found, word, name.str(), node);
    check_missing(listed, table, found);
  }

  static bool is_word_of(const ListedKey& key, const std::string& word) {
    return std::find(key.words.begin(), key.words.end(), word) != key.words.end();
  }

  /// Whether a key goes with the table's choice, as far as that is known.
  static bool goes_with(const ListedKey& key, const std::string& word) {
    return word.empty() || key.groups.empty() ||
           std::find(key.groups.begin(), key.groups.end(), word) != key.groups.end();
  }

  void check_known(const ListedTable& listed, const FoundTable& found, const std::string& word,
                   std::string_view name, const toml::node& node) {
    const std::string path = below(found.path, name);
    const std::string rad = in_radians(name);
    const ListedKey* key = listed.find(rad);
    if (key != nullptr && rad != name && found.nodes->contains(rad)) {
      tell(location(node), path, fmt::format("does not go with {}; give one of them", rad));
    }
    if (key == nullptr) {
      check_table_name(listed, found, word, name, node);
    } else if (!goes_with(*key, word)) {
      tell(location(node), path,
           fmt::format("for {} = {} only; must be left out (--set {}= takes it away)",
                       below(listed.path, listed.choice), quoted_words(key->groups), path));
    } else if (key->kind == KeyKind::kDistribution) {
      check_distribution(node, path, key->quantity.range);
    } else {
      check_distributions(node, path, key->is(kUncertain));
    }
  }

  void check_table_name(const ListedTable& listed, const FoundTable& found, const std::string& word,
                        std::string_view name, const toml::node& node) {
    const bool is_in_degrees = name.find("_deg") != std::string_view::npos;
    std::vector<std::string> names;
    for (const ListedKey& key : listed.keys) {
      if (!goes_with(key, word)) continue;
      names.push_back(is_in_degrees ? in_degrees(key.name) : std::string(key.name));
    }
    for (const ListedTable& other : config_tables()) {
      if (&listed == &distribution_table()) break;  // it has no tables in it
      const std::string_view child = other.name_in(listed.path);
      if (!child.empty()) names.emplace_back(child);
      if (child == "friction") names.emplace_back("uncertain");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::vector<std::string_view> allowed(names.begin(), names.end());
    if (const auto meant = suggest_key(name, allowed)) {
      meant_.insert(below(found.path, in_radians(meant->key)));
    }
    tell(location(node), below(found.path, name), unknown_key_text(name, allowed));
  }

  /// The keys of what may be a distribution of a quantity that admits `values`.
  void check_distribution(const toml::node& node, const std::string& path,
                          const NumberRange& values) {
    if (!node.is_table()) return;
    const FoundTable found{node.as_table(), path, location(node)};
    check(distribution_table(), found);
    for (const auto& [name, range] : missing_keys(*found.nodes, values)) {
      ListedKey key = *distribution_table().find(name);
      if (key.kind == KeyKind::kNumber) key.quantity.range = range;
      tell_missing(found, key.name, "must be " + key.allowed());
    }
  }

  /// The distributions in a number's place, or in a list of numbers.
  void check_distributions(const toml::node& node, const std::string& path, bool may_be) {
    if (const toml::array* list = node.as_array()) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        check_distributions(*list->get(k), below(path, std::to_string(k)), may_be);
      }
    }
    if (!is_distribution(node)) return;
    if (may_be) return check_distribution(node, path, kAnyNumber);
    tell(location(node), path,
         fmt::format("may not be a distribution; must be one value. Distributions may be: "
                     "friction.jaw, friction.support, placement.noise.x_mm, y_mm and theta_rad, {}",
                     fmt::join(possible_number_keys(), ", ")));
  }

  void check_missing(const ListedTable& listed, const toml::table& table, const FoundTable& found) {
    std::set<std::string_view> there;  // groups with a key
    if (!listed.choice.empty()) {
      there.insert(table[listed.choice].value_or(std::string_view()));
    } else {
      for (const ListedKey& key : listed.keys) {
        const bool is_meant = meant_.contains(below(found.path, key.name));
        if (is_meant || find_given(table, key.name) != nullptr)
          there.insert(key.groups.begin(), key.groups.end());
      }
    }
    const bool lacks_all = !listed.either.empty() && there.empty();
    const bool is_unclear = listed.exclusive && there.size() > 1;
    bool told_either = false;
    for (const ListedKey& key : listed.keys) {
      const bool grouped = !key.groups.empty();
      const bool is_there =
          std::any_of(key.groups.begin(), key.groups.end(),
                      [&](std::string_view group) { return there.contains(group); });
      if (!key.is(kRequired) || find_given(table, key.name) != nullptr || (grouped && is_unclear) ||
          (grouped && !is_there && (!lacks_all || told_either))) {
        continue;
      }
      if (meant_.contains(below(found.path, key.name))) continue;
      const bool tells_either = grouped && lacks_all;
      told_either = told_either || tells_either;
      tell_missing(found, key.name,
                   tells_either ? std::string(listed.either) : "must be " + key.allowed());
    }
  }

  /// Not of a key that a misspelt one stands for.
  void tell_missing(const FoundTable& found, std::string_view name, const std::string& allowed) {
    const std::string path = below(found.path, name);
    if (!meant_.contains(path)) tell(found.place, path, "missing; " + allowed);
  }

  std::vector<ConfigFault> faults_;
  std::set<std::string> meant_;  ///< paths that misspelt keys stand for
};

}  // namespace

std::string ListedKey::allowed() const {
  const NumberRange& range = quantity.range;
  switch (kind) {
    case KeyKind::kNumber:
    case KeyKind::kDistribution:
      return range.text();
    case KeyKind::kInteger:
      return fmt::format("an integer from {} to {}", integer_bound(range.min),
                         integer_bound(range.max));
    case KeyKind::kTruth:
      return "true or false";
    case KeyKind::kText:
      return name == "name" ? std::string(kNameText) : "a text";
    case KeyKind::kWord:
      return quoted_words(words);
    case KeyKind::kPair:
      return "a list of 2 finite numbers";
    case KeyKind::kNumberOrPair:
      return quantity.range.text() + ", or a list of 2 of them";
    case KeyKind::kNumbers:
    case KeyKind::kNumberLists:
    case KeyKind::kNumberTables:
    case KeyKind::kTexts:
      return (quantity.type.starts_with("list") ? "a " : "") + std::string(quantity.type);
  }
  return "";
}

std::string_view ListedKey::unit() const {
  const bool is_one = kind == KeyKind::kNumber || kind == KeyKind::kDistribution;
  if (!is_one && kind != KeyKind::kPair && kind != KeyKind::kNumberOrPair &&
      kind != KeyKind::kNumbers) {
    return "";
  }
  const std::string_view type = quantity.type.substr(0, quantity.type.find(" in "));
  const std::size_t comma = type.rfind(", ");
  if (comma != std::string_view::npos) return type.substr(comma + 2);
  return !is_one || type == "number" || type == "distribution" ? "" : type;
}

std::string_view ListedTable::name_in(std::string_view around) const {
  std::string_view name = path;
  if (!around.empty()) {
    if (!name.starts_with(around) || name.substr(around.size(), 1) != ".") return {};
    name.remove_prefix(around.size() + 1);
  }
  return name.find('.') == std::string_view::npos ? name : "";
}

const ListedKey* ListedTable::find(std::string_view name) const {
  const auto key =
      std::find_if(keys.begin(), keys.end(), [&](const ListedKey& k) { return k.name == name; });
  return key == keys.end() ? nullptr : &*key;
}

const std::vector<ListedTable>& config_tables() {
  static const std::vector<ListedTable> kTables = all_tables();
  return kTables;
}

const std::vector<ListedKey>& keys_of_distributions() { return distribution_table().keys; }

void check_keys(const toml::table& document) { const KeyCheck check(document); }

void ask_for_all(const TomlTable& document) {
  for (const ListedTable& listed : config_tables()) {
    std::vector<TomlTable> tables = {document};
    for (std::string_view rest = listed.path; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      tables = rest.empty() && listed.is_list()
                   ? tables[0].tables_or_none(word)
                   : std::vector<TomlTable>{tables[0].table_or_empty(word)};
    }
    for (const TomlTable& table : tables) {
      for (const ListedKey& key : listed.keys) static_cast<void>(table.given(key.name));
    }
  }
}

std::string unit_of_key(std::string_view key) {
  const bool is_element =
      key.size() > 2 && key[key.size() - 2] == '.' && key.back() >= '0' && key.back() <= '9';
  if (is_element) key.remove_suffix(2);
  const std::size_t dot = std::min(key.rfind('.'), key.size());
  const std::string_view path = key.substr(0, dot);
  const std::string_view name = key.substr(std::min(dot + 1, key.size()));
  for (const ListedTable& table : config_tables()) {
    const bool is_there =
        table.is_list() ? path.starts_with(below(table.path, "")) : path == table.path;
    const ListedKey* listed = is_there ? table.find(in_radians(name)) : nullptr;
    if (listed == nullptr) continue;
    std::string unit(listed->unit());
    if (name.ends_with("_deg")) unit.replace(unit.find("rad"), 3, "degrees");
    return unit;
  }
  return "";
}

const std::vector<std::string>& possible_number_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::set<std::string> keys;
    for (const ListedTable& table : config_tables()) {
      const std::string path = std::string(table.path) + (table.is_list() ? ".NAME" : "");
      for (const ListedKey& key : table.keys) {
        if (!key.is(kUncertain)) continue;
        const std::string name = below(path, key.name);
        if (key.kind != KeyKind::kPair) keys.insert(name);
        if (key.kind == KeyKind::kPair) keys.insert({name + ".0", name + ".1"});
      }
    }
    return std::vector<std::string>(keys.begin(), keys.end());
  }();
  return kKeys;
}

namespace {

using Words = std::vector<std::string>;

void add_distribution(const std::string& path, std::map<std::string, Words>& keys) {
  for (const ListedKey& key : keys_of_distributions()) {
    keys[below(path, key.name)].assign(key.words.begin(), key.words.end());
  }
}

void add_keys(const ListedTable& listed, const FoundTable& found,
              std::map<std::string, Words>& keys) {
  for (const ListedKey& key : listed.keys) {
    const std::string path = below(found.path, key.name);
    keys[path].assign(key.words.begin(), key.words.end());
    keys[in_degrees(path)];
    const toml::node* node = found.nodes == nullptr ? nullptr : find_given(*found.nodes, key.name);
    if (key.kind == KeyKind::kDistribution || (node != nullptr && is_distribution(*node)))
      add_distribution(path, keys);
    const toml::array* list = node == nullptr ? nullptr : node->as_array();
    for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) {
      if (is_distribution(*list->get(k))) add_distribution(below(path, std::to_string(k)), keys);
    }
  }
}

/// The names of a document's pieces.
std::vector<std::string> names_in(const toml::table& document) {
  std::vector<std::string> names;
  const toml::array* pieces = document.at_path("part.piece").as_array();
  for (std::size_t k = 0; pieces != nullptr && k < pieces->size(); ++k) {
    const toml::table* piece = pieces->get(k)->as_table();
    if (piece != nullptr) names.push_back((*piece)["name"].value_or(std::string()));
  }
  return names;
}

}  // namespace

std::vector<AskedKey> sweep_keys(const std::filesystem::path& file) {
  toml::table nodes;
  try {
    if (!file.empty()) nodes = load_toml(file, {});
  } catch (const ConfigError&) {
    // The keys of any sweep are left.
  }
  std::map<std::string, Words> keys;
  for (const ListedTable& listed : config_tables()) {
    std::vector<FoundTable> tables = tables_in(nodes, listed);
    if (tables.empty() || tables[0].nodes == nullptr) {
      tables = {{nullptr, std::string(listed.path) + (listed.is_list() ? ".0" : ""), {}}};
    }
    for (const FoundTable& found : tables) add_keys(listed, found, keys);
  }
  constexpr std::string_view kName = "NAME";
  for (const std::string& key : possible_number_keys()) {
    const std::size_t at = key.find(kName);
    std::vector<std::string> named = {key};
    if (at != std::string::npos) {
      named = names_in(nodes);
      for (std::string& name : named) name = std::string(key).replace(at, kName.size(), name);
    }
    for (const std::string& name : named) {
      keys["uncertain." + name];
      keys["uncertain." + in_degrees(name)];
      add_distribution("uncertain." + name, keys);
    }
  }
  std::vector<AskedKey> list;
  for (const auto& [path, words] : keys) list.push_back({path, words});
  return list;
}

}  // namespace graspmap
