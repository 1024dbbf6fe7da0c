#include "grasp/base/io/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

/// The number read in place of one that is missing: it passes the checks of most keys.
constexpr double kStandIn = 1.0;

/// What a message calls a value: "is a text", "is 3".
std::string describe(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "is a table";
    case toml::node_type::array:
      return "is a list";
    case toml::node_type::string:
      return fmt::format("is the text \"{}\"", node.as_string()->get());
    case toml::node_type::integer:
      return fmt::format("is {}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return fmt::format("is {}", node.as_floating_point()->get());
    case toml::node_type::boolean:
      return fmt::format("is {}", node.as_boolean()->get());
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "is a date or time";
    case toml::node_type::none:
      break;
  }
  return "is nothing";
}

std::string must_be(const toml::node& node, std::string_view allowed) {
  return fmt::format("{}; must be {}", describe(node), allowed);
}

/// The value of an integer or floating-point node, finite.
std::optional<double> finite_number(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point(); number && std::isfinite(number->get())) {
    return number->get();
  }
  return std::nullopt;
}

/// "2", or "2 or 3".
std::string count_text(std::size_t least, std::size_t most) {
  return least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most);
}

/// A bound in few characters: 1e+09, not 1000000000.
std::string bound_text(double bound) {
  const std::string full = fmt::format("{}", bound);
  const std::string brief = fmt::format("{:g}", bound);
  return std::abs(bound) < 1e7 || std::stod(brief) != bound ? full : brief;
}

}  // namespace

std::string unknown_key_text(std::string_view key, const std::vector<std::string_view>& allowed) {
  const auto suggestion = suggest_key(key, allowed);
  if (!suggestion) return fmt::format("unknown key; allowed: {}", fmt::join(allowed, ", "));
  return fmt::format("unknown key; {}did you mean {}?",
                     suggestion->other_unit ? "a key ends with its unit: " : "", suggestion->key);
}

std::int64_t integer_bound(double bound) {
  constexpr double kBeyond = 0x1p63;
  return bound < kBeyond ? static_cast<std::int64_t>(bound)
                         : std::numeric_limits<std::int64_t>::max();
}

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && value <= max && (above_min ? value > min : value >= min);
}

std::string NumberRange::text() const {
  if (std::isinf(min) && std::isinf(max)) return "a finite number";
  if (std::isinf(max)) return fmt::format("a finite number {} {}", above_min ? ">" : ">=", min);
  const std::string most = bound_text(max);
  if (above_min) return fmt::format("a number > {} and <= {}", min, most);
  return fmt::format("a number from {} to {}", bound_text(min), most);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text[0] != '-' && text[0] != '.' &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return (std::isalnum(c) != 0 && c < 0x80) || c == '-' || c == '_' || c == '.';
         });
}

/// A table and what was asked of it.
struct TomlTable::Notes {
  struct Key {
    std::string name;
    bool is_read = false;
    std::vector<std::string> words{};  ///< its values, where they are words
  };

  const toml::table* table = nullptr;  ///< null for a table that was left out
  std::string path;                    ///< dotted; empty for the document
  InputPlace location;
  std::vector<Key> asked;                                     ///< in the order of asking, each once
  std::map<std::string, std::string, std::less<>> elsewhere;  ///< keys of other choices: whose
  bool keys_are_checked = false;
  std::vector<ConfigFault> missing;  ///< required keys
  std::map<std::string, TomlTable, std::less<>> children;

  [[nodiscard]] auto find_asked(std::string_view key) {
    return std::find_if(asked.begin(), asked.end(), [&](const Key& k) { return k.name == key; });
  }
};

TomlTable::TomlTable(const toml::table& document) : TomlTable(&document, "", location(document)) {}

TomlTable::TomlTable(const toml::table* table, std::string path, InputPlace location)
    : notes_(std::make_shared<Notes>()) {
  notes_->table = table;
  notes_->path = std::move(path);
  notes_->location = std::move(location);
}

void TomlTable::check_keys() const {
  std::vector<std::string_view> allowed;
  for (const Notes::Key& asked : notes_->asked) allowed.emplace_back(asked.name);
  std::vector<ConfigFault> unknown;
  const auto check = [&](std::string_view key) {
    if (notes_->find_asked(key) != notes_->asked.end()) return;
    const auto other = notes_->elsewhere.find(key);
    const std::string text =
        other == notes_->elsewhere.end()
            ? unknown_key_text(key, allowed)
            : fmt::format("for {} only; must be left out (--set {}= takes it away)", other->second,
                          path_of(key));
    unknown.push_back(ConfigFault::of(location_of(key), path_of(key), text));
  };
  if (notes_->table != nullptr) {
    for (const auto& [key, node] : *notes_->table) check(key.str());
  }
  if (!unknown.empty()) throw ConfigError(std::move(unknown));
  throw_missing();
  notes_->keys_are_checked = true;
}

void TomlTable::throw_missing() const {
  if (!notes_->missing.empty()) throw ConfigError(notes_->missing);
}

void TomlTable::belongs_elsewhere(std::string_view owner,
                                  const std::vector<std::string_view>& keys) const {
  for (const std::string_view key : keys) notes_->elsewhere.emplace(key, owner);
}

void TomlTable::check_all_read() const {
  check_keys();
  for (const Notes::Key& key : notes_->asked) {
    if (!key.is_read && find(key.name) != nullptr) {
      raise(key.name, "has no effect beside the other keys; must be left out");
    }
  }
  for (const auto& [key, table] : notes_->children) table.check_all_read();
}

void TomlTable::list_asked(std::vector<AskedKey>& keys) const {
  for (const Notes::Key& key : notes_->asked) {
    // "piece" has the tables "piece.0", "piece.1".
    const auto below = notes_->children.lower_bound(key.name);
    const bool is_table = below != notes_->children.end() &&
                          (below->first == key.name || below->first.starts_with(key.name + "."));
    if (!is_table) keys.push_back({path_of(key.name), key.words});
  }
  for (const auto& [key, table] : notes_->children) table.list_asked(keys);
}

void TomlTable::ask_for(const std::vector<std::string_view>& keys) const {
  for (const std::string_view key : keys) ask(key, false);
}

bool TomlTable::has(std::string_view key) const { return ask(key, false) != nullptr; }

std::string TomlTable::given(std::string_view key) const {
  const bool is_given = has(key);
  const std::string degrees = in_degrees(key);
  if (degrees == key || !has(degrees)) return is_given ? std::string(key) : "";
  refuse_both(degrees, key);
  return degrees;
}

bool TomlTable::has_table(std::string_view key) const {
  const toml::node* node = ask(key, false);
  return node != nullptr && node->is_table();
}

bool TomlTable::has_list(std::string_view key) const {
  const toml::node* node = ask(key, false);
  return node != nullptr && node->is_array();
}

std::string_view TomlTable::first_present(const std::vector<std::string_view>& keys) const {
  ask_for(keys);
  const auto first =
      std::find_if(keys.begin(), keys.end(), [&](std::string_view key) { return has(key); });
  return first == keys.end() ? "" : *first;
}

double TomlTable::number(std::string_view key, const NumberRange& range) const {
  const toml::node* node = require(key, range.text());
  if (node == nullptr) return kStandIn;
  const std::optional<double> value = finite_number(*node);
  if (!value || !range.contains(*value)) fail(key, must_be(*node, range.text()));
  return *value;
}

double TomlTable::number_or(double fallback, std::string_view key, const NumberRange& range) const {
  return has(key) ? number(key, range) : fallback;
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  const std::string allowed = fmt::format("an integer from {} to {}", min, max);
  const toml::node* node = require(key, allowed);
  if (node == nullptr) return min;
  const auto* value = node->as_integer();
  if (value == nullptr || value->get() < min || value->get() > max) {
    fail(key, must_be(*node, allowed));
  }
  return value->get();
}

std::string TomlTable::text(std::string_view key) const {
  const toml::node* node = require(key, "a text");
  if (node == nullptr) return {};
  if (!node->is_string()) fail(key, must_be(*node, "a text"));
  return node->as_string()->get();
}

std::string TomlTable::name(std::string_view key) const {
  std::string name = text(key);
  if (has(key) && !is_name(name)) fail(key, must_be(*find(key), kNameText));
  return name;
}

std::size_t TomlTable::choice(std::string_view key,
                              const std::vector<std::string_view>& words) const {
  const std::string allowed = fmt::format("\"{}\"", fmt::join(words, "\" or \""));
  const toml::node* node = require(key, allowed);
  notes_->find_asked(key)->words.assign(words.begin(), words.end());
  if (node == nullptr) return 0;
  const auto* word = node->as_string();
  const auto found = word == nullptr ? words.end() : std::find(words.begin(), words.end(), **word);
  if (found == words.end()) fail(key, must_be(*node, allowed));
  return static_cast<std::size_t>(found - words.begin());
}

std::size_t TomlTable::kind(std::string_view key,
                            const std::vector<std::string_view>& words) const {
  const std::size_t index = choice(key, words);
  throw_missing();
  return index;
}

std::vector<double> TomlTable::number_list(std::string_view key, std::size_t least,
                                           std::size_t most) const {
  GRASPMAP_CHECK(least <= most);
  const std::string allowed = least == most
                                  ? fmt::format("a list of {} finite numbers", least)
                                  : fmt::format("a list of {} to {} finite numbers", least, most);
  const toml::array* list = require_array(key, allowed);
  if (list == nullptr) return std::vector<double>(least, kStandIn);
  if (list->size() < least || list->size() > most) {
    fail(key, fmt::format("is a list of {}; must be {}", list->size(), allowed));
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::optional<double> value = finite_number((*list)[i]);
    if (!value) fail_at_element(key, *list, i, "a finite number");
    values.push_back(*value);
  }
  return values;
}

std::vector<std::array<double, 2>> TomlTable::pairs(std::string_view key) const {
  const toml::array* list = require_array(key, "a list of pairs of numbers, [[1, 2], [3, 4]]");
  std::vector<std::array<double, 2>> pairs;
  if (list == nullptr) return pairs;
  for (const std::vector<double>& pair : lists_of(*list, key, 2, 2)) {
    pairs.push_back({pair[0], pair[1]});
  }
  return pairs;
}

std::vector<std::vector<double>> TomlTable::number_lists(std::string_view key, std::size_t least,
                                                         std::size_t most) const {
  const toml::array* list =
      require_array(key, fmt::format("a list of lists of {} numbers", count_text(least, most)));
  if (list == nullptr) return {};
  return lists_of(*list, key, least, most);
}

std::vector<std::vector<std::vector<double>>> TomlTable::number_tables_or_none(
    std::string_view key, std::size_t least, std::size_t most) const {
  std::vector<std::vector<std::vector<double>>> tables;
  if (!has(key)) return tables;
  const std::string allowed = fmt::format("a list of lists of {} numbers", count_text(least, most));
  const toml::array& list = *require_array(key, "a list of such lists: " + allowed);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_array()) fail_at_element(key, list, i, allowed);
    tables.push_back(lists_of(*list[i].as_array(), fmt::format("{}.{}", key, i), least, most));
  }
  return tables;
}

std::vector<std::vector<double>> TomlTable::lists_of(const toml::array& list, std::string_view key,
                                                     std::size_t least, std::size_t most) const {
  const std::string allowed = fmt::format("a list of {} finite numbers", count_text(least, most));
  std::vector<std::vector<double>> lists;
  lists.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const toml::array* numbers = list[i].as_array();
    if (numbers == nullptr || numbers->size() < least || numbers->size() > most) {
      fail_at_element(key, list, i, allowed);
    }
    std::vector<double>& values = lists.emplace_back();
    for (const toml::node& node : *numbers) {
      const std::optional<double> value = finite_number(node);
      if (!value) fail_at_element(key, list, i, allowed);
      values.push_back(*value);
    }
  }
  return lists;
}

bool TomlTable::truth_or(bool fallback, std::string_view key) const {
  const toml::node* node = ask(key, true);
  notes_->find_asked(key)->words = {"true", "false"};
  if (node == nullptr) return fallback;
  if (!node->is_boolean()) fail(key, must_be(*node, "true or false"));
  return node->as_boolean()->get();
}

std::vector<std::string> TomlTable::texts(std::string_view key, std::size_t count,
                                          std::string_view allowed) const {
  if (require(key, allowed) == nullptr) return std::vector<std::string>(count);
  std::vector<std::string> texts = texts_or_none(key);
  if (texts.size() != count) {
    fail(key, fmt::format("is a list of {}; must be {}", texts.size(), allowed));
  }
  return texts;
}

std::vector<std::string> TomlTable::texts_or_none(std::string_view key) const {
  std::vector<std::string> texts;
  if (!has(key)) return texts;
  const toml::array& list = *require_array(key, "a list of texts");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) fail_at_element(key, list, i, "a text");
    texts.push_back(list[i].as_string()->get());
  }
  return texts;
}

void TomlTable::check_list(std::string_view key, std::size_t count,
                           std::string_view allowed) const {
  const toml::array& list = *require_array(key, allowed);
  if (list.size() == count) return;
  fail(key, fmt::format("is a list of {}; must be {}", list.size(), allowed));
}

TomlTable TomlTable::table(std::string_view key) const {
  const std::string allowed = fmt::format("a table, [{}]", path_of(key));
  const toml::node* node = require(key, allowed);
  if (node != nullptr && !node->is_table()) fail(key, must_be(*node, allowed));
  return child(key, node);
}

TomlTable TomlTable::table_or_empty(std::string_view key) const {
  return has(key) ? table(key) : child(key, nullptr);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const std::string allowed = fmt::format("one or more tables, [[{}]]", path_of(key));
  const toml::array* list = require_array(key, allowed);
  std::vector<TomlTable> tables;
  if (list == nullptr) return tables;
  if (list->empty()) fail(key, fmt::format("is empty; must be {}", allowed));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::node& element = (*list)[i];
    if (!element.is_table()) fail_at_element(key, *list, i, "a table");
    tables.push_back(child(fmt::format("{}.{}", key, i), &element));
  }
  return tables;
}

std::vector<TomlTable> TomlTable::tables_or_none(std::string_view key) const {
  return has(key) ? tables(key) : std::vector<TomlTable>{};
}

void TomlTable::fail(std::string_view key, std::string_view text) const {
  for (const auto& [name, child] : notes_->children) {
    if (!key.starts_with(name) || key.substr(name.size(), 1) != ".") continue;
    child.fail(key.substr(name.size() + 1), text);
  }
  throw_missing();
  raise(key, text);
}

void TomlTable::refuse_both(std::string_view key, std::string_view other,
                            std::string_view hint) const {
  if (has(key) && has(other)) fail(key, fmt::format("does not go with {}; {}", other, hint));
}

void TomlTable::fail_in_file(std::string_view key, const ConfigError& error) const {
  throw_missing();
  std::vector<ConfigFault> faults = error.faults();
  for (ConfigFault& fault : faults) {
    fault.named_at = location_of(key);
    fault.named_by = path_of(key);
  }
  throw ConfigError(std::move(faults));
}

void TomlTable::raise(std::string_view key, std::string_view text) const {
  if (find(key) == nullptr && find(in_degrees(key)) != nullptr) {
    raise(in_degrees(key), fmt::format("{} (angles in rad)", text));
  }
  throw config_error(location_of(key), path_of(key), text);
}

InputPlace TomlTable::location_of(std::string_view key) const {
  const toml::node* node = find(key);
  return node != nullptr ? location(*node) : notes_->location;
}

void TomlTable::fail_at_element(std::string_view key, const toml::array& list, std::size_t index,
                                std::string_view allowed) const {
  throw_missing();
  throw config_error(location(list[index]), fmt::format("{}.{}", path_of(key), index),
                     must_be(list[index], allowed));
}

const toml::node* TomlTable::find(std::string_view key) const {
  if (notes_->table == nullptr) return nullptr;
  if (const toml::node* node = notes_->table->get(key)) return node;
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != key.size()) return nullptr;
  const toml::node* list = notes_->table->get(key.substr(0, dot));
  return list != nullptr && list->is_array()
             ? list->as_array()->get(static_cast<std::size_t>(key.back() - '0'))
             : nullptr;
}

const toml::node* TomlTable::ask(std::string_view key, bool is_read) const {
  auto asked = notes_->find_asked(key);
  if (asked == notes_->asked.end()) {
    asked = notes_->asked.insert(asked, {.name = std::string(key)});
  }
  if (is_read) asked->is_read = true;
  return find(key);
}

const toml::node* TomlTable::require(std::string_view key, std::string_view allowed) const {
  const toml::node* node = ask(key, true);
  if (node != nullptr) return node;
  const std::string path = path_of(key);
  std::vector<ConfigFault>& missing = notes_->missing;
  if (std::none_of(missing.begin(), missing.end(),
                   [&](const ConfigFault& fault) { return fault.key == path; })) {
    missing.push_back(
        ConfigFault::of(notes_->location, path, fmt::format("missing; must be {}", allowed)));
  }
  if (notes_->keys_are_checked) throw_missing();
  return nullptr;
}

std::string TomlTable::path_of(std::string_view key) const { return below(notes_->path, key); }

TomlTable TomlTable::child(std::string_view key, const toml::node* node) const {
  const auto known = notes_->children.find(key);
  if (known != notes_->children.end()) return known->second;
  const TomlTable table(node == nullptr ? nullptr : node->as_table(), path_of(key),
                        node == nullptr ? notes_->location : location(*node));
  notes_->children.emplace(key, table);
  return table;
}

const toml::array* TomlTable::require_array(std::string_view key, std::string_view allowed) const {
  const toml::node* node = require(key, allowed);
  if (node != nullptr && !node->is_array()) fail(key, must_be(*node, allowed));
  return node == nullptr ? nullptr : node->as_array();
}

}  // namespace graspmap
