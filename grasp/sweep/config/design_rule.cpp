#include "grasp/sweep/config/design_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"

namespace graspmap {
namespace {

constexpr double kMostSteps = 1e6;

/// A key that --set takes, which messages and files show as it is.
bool is_dotted_key(std::string_view key) {
  const bool plain = std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  return plain && !key.empty() && key.size() <= 200 && key.front() != '.' && key.back() != '.';
}

/// What stands in quotes as it is.
bool is_plain_text(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

void check_texts(const TomlTable& table, std::string_view key,
                 const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (!is_plain_text(text)) {
      table.fail(key, "has a text that is empty or has quotes, backslashes or control characters");
    }
  }
}

void check_range(const TomlTable& table, const DesignVariable& variable) {
  if (!variable.min || !variable.max) {
    table.fail(variable.min ? "max" : "min", "missing; must be given with the other end");
  }
  if (!(*variable.min < *variable.max)) {
    table.fail("max", fmt::format("is {}; must be above min = {}", *variable.max, *variable.min));
  }
  if (!variable.step) return;
  const double steps = (*variable.max - *variable.min) / *variable.step;
  if (!(steps >= 1) || steps > kMostSteps) {
    table.fail("step", fmt::format("is {}; must be at most max - min, and a millionth of it or "
                                   "more",
                                   *variable.step));
  }
}

DesignVariable read_variable(const TomlTable& table) {
  DesignVariable variable;
  KeyReader keys(table);
  design_variable_keys(keys, variable);
  std::vector<std::string> all = variable.linked;
  all.insert(all.begin(), variable.key);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (is_dotted_key(all[k])) continue;
    table.fail(k == 0 ? "key" : "linked",
               "must be a key as --set takes it, such as gripper.finger.groove_depth_mm");
  }
  const bool is_range = variable.min || variable.max || variable.step;
  if (table.has("values")) variable.values = table.number_list("values", 2, 1000);
  const int kinds =
      (is_range ? 1 : 0) + (table.has("values") ? 1 : 0) + (variable.texts.empty() ? 0 : 1);
  if (kinds != 1) {
    table.fail("key", fmt::format("has {} of min and max, values, texts; must have one of them",
                                  kinds == 0 ? "none" : "more than one"));
  }
  if (is_range) check_range(table, variable);
  check_texts(table, "texts", variable.texts);
  return variable;
}

void check_shape(const TomlTable& table, const std::string& shape) {
  if (is_drawing_file(shape)) {
    check_texts(table, "shapes", {shape});
    return;
  }
  std::string_view rest = shape;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find('+'));
    const auto& known = finger_features();
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const FingerFeature& f) { return f.word == word; });
    if (!is_known) {
      std::vector<std::string> words;
      for (const FingerFeature& feature : known)
        words.push_back(fmt::format("\"{}\"", feature.word));
      table.fail("shapes", fmt::format("has \"{}\"; must be of {}, several joined by '+', or a DXF "
                                       "or SVG file",
                                       shape, fmt::join(words, ", ")));
    }
    if (word.size() == rest.size()) return;
    rest.remove_prefix(word.size() + 1);
  }
}

DesignPart read_part(const TomlTable& table) {
  DesignPart part;
  KeyReader keys(table);
  design_part_keys(keys, part);
  if (table.has("config")) part.config = table.text("config");
  if (table.has("config")) check_texts(table, "config", {part.config});
  check_texts(table, "set", part.set);
  for (const std::string& text : part.set) {
    if (text.find('=') == std::string::npos) {
      table.fail("set", fmt::format("has \"{}\"; must have KEY=VALUE", text));
    }
  }
  if (!table.has("config") && part.set.empty()) {
    table.fail("set", "missing, and config too; must have what is different in this part");
  }
  return part;
}

}  // namespace

std::size_t DesignVariable::choices() const {
  if (!is_range()) return std::max(values.size(), texts.size());
  if (!step) return 0;
  constexpr double kRounding = 1e-9;
  return static_cast<std::size_t>(std::floor((*max - *min) / *step + kRounding)) + 1;
}

std::vector<DesignObjective> DesignRule::objectives() const {
  if (second == 0) return {objective};
  return {objective, static_cast<DesignObjective>(second - 1)};
}

bool is_drawing_file(const std::string& shape) {
  std::string_view end = shape;
  if (end.size() > 4) end.remove_prefix(end.size() - 4);
  return end == ".dxf" || end == ".DXF" || end == ".svg" || end == ".SVG";
}

DesignRule read_design(const TomlTable& table) {
  DesignRule rule;
  KeyReader keys(table);
  design_keys(keys, rule);
  for (const std::string& shape : rule.shapes) check_shape(table, shape);
  for (const TomlTable& variable : table.tables_or_none("variable")) {
    rule.variables.push_back(read_variable(variable));
    const auto is_same = [&](const DesignVariable& v) {
      return v.key == rule.variables.back().key;
    };
    if (std::count_if(rule.variables.begin(), rule.variables.end(), is_same) > 1) {
      variable.fail("key", "is that of another variable too; must be unique");
    }
  }
  for (const TomlTable& part : table.tables_or_none("part")) {
    rule.parts.push_back(read_part(part));
    const auto is_same = [&](const DesignPart& p) { return p.name == rule.parts.back().name; };
    if (std::count_if(rule.parts.begin(), rule.parts.end(), is_same) > 1) {
      part.fail("name", "is that of another part too; must be unique");
    }
  }
  if (table.has("placement")) rule.placement = table.number_list("placement", 2, 3);
  if (rule.variables.empty() && rule.shapes.size() < 2) {
    table.fail("variable",
               "there is nothing to choose; must have [[design.variable]], or two "
               "shapes or more");
  }
  if (rule.second != 0 && rule.objectives()[1] == rule.objective) {
    table.fail("second_objective", "is the objective; must be another one");
  }
  return rule;
}

}  // namespace graspmap
