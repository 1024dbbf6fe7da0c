#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "grasp/base/io/result.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {

std::string without_links(std::string_view sentence) {
  std::string text;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const std::size_t end = sentence.substr(at).starts_with("](") ? sentence.find(')', at) : at;
    const bool opens = sentence[at] == '[' && sentence.find("](", at) < sentence.find(']', at) + 1;
    if (end != at) {
      at = end;
    } else if (!opens) {
      text += sentence[at];
    }
  }
  return text;
}

namespace {

constexpr const char* kDistribution = "#/definitions/distribution";

std::string description(const ListedKey& key, bool degrees) {
  std::string text(key.quantity.type);
  if (degrees) text.replace(text.find("rad"), 3, "degrees");
  if (!key.sentence.empty()) text += "; " + without_links(key.sentence);
  if (!key.fallback.empty() && key.fallback != "-")
    return text + fmt::format(". Default: {}.", key.fallback);
  return text + (key.is(kRequired) && key.groups.empty() ? ". Required." : ".");
}

/// The bounds of numbers.
Object range_fields(const Quantity& quantity) {
  const auto& [type, range, limits] = quantity;
  const double min = std::max(range.min, limits.min);
  const double max = std::min(range.max, limits.max);
  const bool above = range.above_min && range.min >= limits.min;
  return {{above ? "exclusiveMinimum" : "minimum", value_if(std::isfinite(min), min)},
          {"maximum", value_if(std::isfinite(max), max)}};
}

Object number_fields(const Quantity& quantity) {
  return {{"type", "number"}, range_fields(quantity)};
}

/// A number or a distribution.
Object distribution_fields(const Quantity& quantity) {
  return {{"anyOf", Value::List{number_fields(quantity), Object{{"$ref", kDistribution}}}}};
}

/// A list, in lists of `depth`, of `items`.
Object list_fields(int depth, const Object& items) {
  return {{"type", "array"}, {"items", depth == 1 ? items : list_fields(depth - 1, items)}};
}

Object value_fields(const ListedKey& key, const Quantity& quantity) {
  const Object any_number{{"type", "number"}};
  const Object text{{"type", "string"}};
  switch (key.kind) {
    case KeyKind::kNumber:
      return key.is(kUncertain) ? distribution_fields(quantity) : number_fields(quantity);
    case KeyKind::kDistribution:
      return distribution_fields(quantity);
    case KeyKind::kInteger:
      return {{"type", "integer"}, range_fields(quantity)};
    case KeyKind::kTruth:
      return {{"type", "boolean"}};
    case KeyKind::kText:
      return text;
    case KeyKind::kWord:
      return {{"enum", key.words}};
    case KeyKind::kPair:
      return {{"minItems", 2},
              {"maxItems", 2},
              list_fields(1, key.is(kUncertain) ? distribution_fields(quantity) : any_number)};
    case KeyKind::kNumberOrPair:
      return {{"anyOf", Value::List{number_fields(quantity), list_fields(1, any_number)}}};
    case KeyKind::kNumbers:
      return list_fields(1, any_number);
    case KeyKind::kNumberLists:
      return list_fields(2, any_number);
    case KeyKind::kNumberTables:
      return list_fields(3, any_number);
    case KeyKind::kTexts:
      return list_fields(1, text);
  }
  throw std::logic_error("a key of no kind");
}

Object key_fields(const std::vector<ListedKey>& keys) {
  Object fields;
  const auto add = [&](std::string name, const ListedKey& key, bool degrees, const Quantity& of) {
    fields.add({std::move(name),
                Object{{"description", description(key, degrees)}, value_fields(key, of)}});
  };
  for (const ListedKey& key : keys) {
    add(std::string(key.name), key, false, key.quantity);
    // The reader knows the range in degrees.
    const std::string degrees = in_degrees(key.name);
    if (degrees != key.name) add(degrees, key, true, {key.quantity.type});
  }
  return fields;
}

/// That these keys must be there, or else `instead`.
Object required_fields(const std::vector<std::string_view>& keys, const char* instead) {
  const Object all{{"required", keys.empty() ? Value() : Value(keys)}};
  if (*instead == '\0') return all;
  return {{"anyOf", Value::List{Object{{"required", Value::List{instead}}}, all}}};
}

/// What an object with some keys, and other properties, must be.
Object object_fields(const std::vector<ListedKey>& keys, const Object& others = {},
                     std::vector<std::string_view> required = {}, const char* instead = "") {
  for (const ListedKey& key : keys) {
    if (key.is(kRequired) && key.groups.empty()) required.push_back(key.name);
  }
  return {{"type", "object"},
          {"additionalProperties", false},
          required_fields(required, instead),
          {"properties", Object{key_fields(keys), others}}};
}

Object table_fields(const ListedTable& table) {
  Object below_it;
  std::vector<std::string_view> required;
  if (table.path.empty()) below_it.add({"uncertain", Object{{"type", "object"}}});
  for (const ListedTable& below : config_tables()) {
    const std::string_view name = below.name_in(table.path);
    if (name.empty()) continue;
    if (below.is_required()) required.push_back(name);
    below_it.add({std::string(name), table_fields(below)});
  }
  const char* model = table.path == "gripper" ? "model" : "";  // has all that is required
  const Object object = object_fields(table.keys, below_it, required, model);
  return table.is_list() ? list_fields(1, object) : object;
}

}  // namespace

std::string config_schema() {
  return json_text(
      Object{{"$schema", "http://json-schema.org/draft-07/schema#"},
             {"title", "The configuration of a sweep of graspmap"},
             table_fields(config_tables().front()),
             {"definitions", Object{{"distribution", object_fields(keys_of_distributions())}}}});
}

}  // namespace graspmap
