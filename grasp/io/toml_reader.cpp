#include "grasp/io/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "grasp/io/key_suggestion.hpp"
#include "grasp/io/toml_document.hpp"

namespace graspmap {
namespace {

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

std::string unknown_key(std::string_view key, const std::vector<std::string_view>& allowed) {
  const auto suggestion = suggest_key(key, allowed);
  if (!suggestion) return fmt::format("unknown key; allowed: {}", fmt::join(allowed, ", "));
  return fmt::format("unknown key; {}did you mean {}?",
                     suggestion->other_unit ? "a key ends with its unit: " : "", suggestion->key);
}

}  // namespace

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && value <= max && (above_min ? value > min : value >= min);
}

std::string NumberRange::text() const {
  if (std::isinf(min) && std::isinf(max)) return "a finite number";
  if (std::isinf(max)) return fmt::format("a finite number {} {}", above_min ? ">" : ">=", min);
  if (above_min) return fmt::format("a number > {} and <= {}", min, max);
  return fmt::format("a number from {} to {}", min, max);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text[0] != '-' && text[0] != '.' &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return (std::isalnum(c) != 0 && c < 0x80) || c == '-' || c == '_' || c == '.';
         });
}

TomlTable::TomlTable(const toml::table& document) : TomlTable(&document, "", location(document)) {}

TomlTable::TomlTable(const toml::table* table, std::string path, std::string location)
    : table_(table), path_(std::move(path)), location_(std::move(location)) {}

void TomlTable::allow_only(const std::vector<std::string_view>& keys) const {
  if (table_ == nullptr) return;
  for (const auto& [key, node] : *table_) {
    const std::string_view name = key.str();
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      fail(name, unknown_key(name, keys));
  }
}

bool TomlTable::has_table(std::string_view key) const {
  const toml::node* node = find(key);
  return node != nullptr && node->is_table();
}

double TomlTable::number(std::string_view key, const NumberRange& range) const {
  const toml::node& node = require(key, range.text());
  const std::optional<double> value = finite_number(node);
  if (!value || !range.contains(*value)) fail(key, must_be(node, range.text()));
  return *value;
}

double TomlTable::number_or(double fallback, std::string_view key, const NumberRange& range) const {
  return has(key) ? number(key, range) : fallback;
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  const std::string allowed = fmt::format("an integer from {} to {}", min, max);
  const toml::node& node = require(key, allowed);
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() < min || value->get() > max) {
    fail(key, must_be(node, allowed));
  }
  return value->get();
}

std::string TomlTable::text(std::string_view key) const {
  const toml::node& node = require(key, "a text");
  if (!node.is_string()) fail(key, must_be(node, "a text"));
  return node.as_string()->get();
}

std::string TomlTable::name(std::string_view key) const {
  const std::string name = text(key);
  if (!is_name(name)) fail(key, must_be(*find(key), kNameText));
  return name;
}

std::size_t TomlTable::choice(std::string_view key,
                              const std::vector<std::string_view>& words) const {
  const std::string allowed = fmt::format("\"{}\"", fmt::join(words, "\" or \""));
  const toml::node& node = require(key, allowed);
  const auto* word = node.as_string();
  const auto found = word == nullptr ? words.end() : std::find(words.begin(), words.end(), **word);
  if (found == words.end()) fail(key, must_be(node, allowed));
  return static_cast<std::size_t>(found - words.begin());
}

void TomlTable::read_numbers(std::string_view key, double* values, std::size_t count) const {
  const std::string allowed = fmt::format("a list of {} finite numbers", count);
  const toml::array& list = array(key, allowed);
  if (list.size() != count) {
    fail(key, fmt::format("is a list of {}; must be {}", list.size(), allowed));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<double> value = finite_number(list[i]);
    if (!value) fail_at_element(key, list, i, "a finite number");
    values[i] = *value;
  }
}

std::vector<std::array<double, 2>> TomlTable::pairs(std::string_view key) const {
  constexpr std::string_view kPair = "a list of 2 finite numbers";
  const toml::array& list = array(key, "a list of pairs of numbers, [[1, 2], [3, 4]]");
  std::vector<std::array<double, 2>> pairs;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const toml::array* pair = list[i].as_array();
    if (pair == nullptr || pair->size() != 2) fail_at_element(key, list, i, kPair);
    const auto x = finite_number((*pair)[0]);
    const auto y = finite_number((*pair)[1]);
    if (!x || !y) fail_at_element(key, list, i, kPair);
    pairs.push_back({*x, *y});
  }
  return pairs;
}

bool TomlTable::truth_or(bool fallback, std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return fallback;
  if (!node->is_boolean()) fail(key, must_be(*node, "true or false"));
  return node->as_boolean()->get();
}

std::vector<std::string> TomlTable::texts_or_none(std::string_view key) const {
  std::vector<std::string> texts;
  if (!has(key)) return texts;
  const toml::array& list = array(key, "a list of texts");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) fail_at_element(key, list, i, "a text");
    texts.push_back(list[i].as_string()->get());
  }
  return texts;
}

TomlTable TomlTable::table(std::string_view key) const {
  const std::string allowed = fmt::format("a table, [{}]", path_of(key));
  const toml::node& node = require(key, allowed);
  if (!node.is_table()) fail(key, must_be(node, allowed));
  return child(node, key);
}

TomlTable TomlTable::table_or_empty(std::string_view key) const {
  return has(key) ? table(key) : TomlTable(nullptr, path_of(key), location_);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const std::string allowed = fmt::format("one or more tables, [[{}]]", path_of(key));
  const toml::array& list = array(key, allowed);
  if (list.empty()) fail(key, fmt::format("is empty; must be {}", allowed));
  std::vector<TomlTable> tables;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_table()) fail_at_element(key, list, i, "a table");
    tables.push_back(child(list[i], fmt::format("{}.{}", key, i)));
  }
  return tables;
}

void TomlTable::fail(std::string_view key, std::string_view text) const {
  const toml::node* node = find(key);
  throw config_error(node != nullptr ? location(*node) : location_, path_of(key), text);
}

void TomlTable::fail_at_element(std::string_view key, const toml::array& list, std::size_t index,
                                std::string_view allowed) const {
  throw config_error(location(list[index]), fmt::format("{}.{}", path_of(key), index),
                     must_be(list[index], allowed));
}

const toml::node* TomlTable::find(std::string_view key) const {
  return table_ == nullptr ? nullptr : table_->get(key);
}

const toml::node& TomlTable::require(std::string_view key, std::string_view allowed) const {
  const toml::node* node = find(key);
  if (node == nullptr) fail(key, fmt::format("missing; must be {}", allowed));
  return *node;
}

std::string TomlTable::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

TomlTable TomlTable::child(const toml::node& node, std::string_view key) const {
  return {node.as_table(), path_of(key), location(node)};
}

const toml::array& TomlTable::array(std::string_view key, std::string_view allowed) const {
  const toml::node& node = require(key, allowed);
  if (!node.is_array()) fail(key, must_be(node, allowed));
  return *node.as_array();
}

}  // namespace graspmap
