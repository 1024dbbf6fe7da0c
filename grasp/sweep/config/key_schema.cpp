#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/json.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {
namespace {

constexpr const char* kDistribution = "#/definitions/distribution";

/// A sentence without the links of Markdown: "[oversize](#oversize)" -> "oversize".
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

std::string description(const ListedKey& key, bool degrees) {
  std::string text(key.quantity.type);
  if (degrees) text.replace(text.find("rad"), 3, "degrees");
  if (!key.sentence.empty()) text += "; " + without_links(key.sentence);
  if (key.fallback != "-") return text + fmt::format(". Default: {}.", key.fallback);
  return text + (key.is(kRequired) && key.groups.empty() ? ". Required." : ".");
}

/// The bounds of numbers.
void write_range(JsonWriter& json, const Quantity& quantity) {
  const auto& [type, range, limits] = quantity;
  const double min = std::max(range.min, limits.min);
  const double max = std::min(range.max, limits.max);
  const bool above = range.above_min && range.min >= limits.min;
  if (std::isfinite(min)) json.field(above ? "exclusiveMinimum" : "minimum", min);
  if (std::isfinite(max)) json.field("maximum", max);
}

/// A number or a distribution.
void write_law(JsonWriter& json, const Quantity& quantity) {
  json.array("anyOf", std::array{true, false}, [&](bool number) {
    json.object([&] {
      if (number) {
        json.field("type", "number");
        write_range(json, quantity);
      } else {
        json.field("$ref", kDistribution);
      }
    });
  });
}

/// A list, in lists of `depth`, of numbers or of what `items` writes.
template <typename Items>
void write_list(JsonWriter& json, int depth, const Items& items) {
  json.field("type", "array");
  json.object("items", [&] {
    if (depth == 1) {
      items();
    } else {
      write_list(json, depth - 1, items);
    }
  });
}

void write_value(JsonWriter& json, const ListedKey& key, const Quantity& quantity) {
  const auto number = [&] { json.field("type", "number"); };
  switch (key.kind) {
    case KeyKind::kNumber:
      if (key.is(kUncertain)) return write_law(json, quantity);
      number();
      return write_range(json, quantity);
    case KeyKind::kLaw:
      return write_law(json, quantity);
    case KeyKind::kInteger:
      json.field("type", "integer");
      return write_range(json, quantity);
    case KeyKind::kTruth:
      return json.field("type", "boolean");
    case KeyKind::kText:
      return json.field("type", "string");
    case KeyKind::kWord:
      return json.array("enum", key.words);
    case KeyKind::kPair:
      json.field("minItems", 2);
      json.field("maxItems", 2);
      return write_list(json, 1,
                        [&] { key.is(kUncertain) ? write_law(json, quantity) : number(); });
    case KeyKind::kNumbers:
      return write_list(json, 1, number);
    case KeyKind::kNumberLists:
      return write_list(json, 2, number);
    case KeyKind::kNumberTables:
      return write_list(json, 3, number);
    case KeyKind::kTexts:
      return write_list(json, 1, [&] { json.field("type", "string"); });
  }
}

void write_keys(JsonWriter& json, const std::vector<ListedKey>& keys) {
  for (const ListedKey& key : keys) {
    json.object(key.name, [&] {
      json.field("description", description(key, false));
      write_value(json, key, key.quantity);
    });
    if (!key.name.ends_with("_rad")) continue;
    json.object(std::string(key.name.substr(0, key.name.size() - 3)) + "deg", [&] {
      json.field("description", description(key, true));
      write_value(json, key, {key.quantity.type});  // the reader knows the range in degrees
    });
  }
}

/// What an object with some keys, and properties that `more` writes, must be.
template <typename More>
void write_object(JsonWriter& json, const std::vector<ListedKey>& keys, const More& more,
                  std::vector<std::string_view> required = {}) {
  json.field("type", "object");
  json.field("additionalProperties", false);
  for (const ListedKey& key : keys) {
    if (key.is(kRequired) && key.groups.empty()) required.push_back(key.name);
  }
  if (!required.empty()) json.array("required", required);
  json.object("properties", [&] {
    write_keys(json, keys);
    more();
  });
}

void write_table(JsonWriter& json, const ListedTable& table) {
  std::vector<std::string_view> required;
  for (const ListedTable& below : config_tables()) {
    const std::string_view name = below.name_in(table.path);
    if (!name.empty() && below.is_required()) required.push_back(name);
  }
  const auto tables_below = [&] {
    if (table.path.empty()) json.object("uncertain", [&] { json.field("type", "object"); });
    for (const ListedTable& below : config_tables()) {
      const std::string_view name = below.name_in(table.path);
      if (!name.empty()) json.object(name, [&] { write_table(json, below); });
    }
  };
  const auto object = [&] { write_object(json, table.keys, tables_below, required); };
  if (!table.is_list()) return object();
  write_list(json, 1, object);
}

}  // namespace

std::string config_schema() {
  JsonWriter json;
  json.object([&] {
    json.field("$schema", "http://json-schema.org/draft-07/schema#");
    json.field("title", "The configuration of a sweep of graspmap");
    write_table(json, config_tables().front());
    json.object("definitions", [&] {
      json.object("distribution", [&] { write_object(json, law_keys(), [] {}); });
    });
  });
  return json.text();
}

}  // namespace graspmap
