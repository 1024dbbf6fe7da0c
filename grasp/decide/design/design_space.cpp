#include "grasp/decide/design/design_space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kFinger = "gripper.finger.";

/// The keys of [gripper.finger] that an outline has.
constexpr std::array kOutlineKeys = {"file",      "outline_mm", "holes_mm",     "names",
                                     "layers",    "scale",      "tolerance_mm", "rotation_rad",
                                     "origin_mm", "origin",     "name_by_layer"};

std::vector<std::string> feature_words(const std::string& shape) {
  std::vector<std::string> words;
  std::string_view rest = shape;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find('+'));
    words.emplace_back(word);
    if (word.size() == rest.size()) return words;
    rest.remove_prefix(word.size() + 1);
  }
}

/// The keys that a shape of these features has.
std::vector<std::string> keys_of(const std::string& shape) {
  std::vector<std::string> keys;
  for (const std::string& word : feature_words(shape)) {
    for (const FingerFeature& feature : finger_features()) {
      if (feature.word == word) keys.insert(keys.end(), feature.keys.begin(), feature.keys.end());
    }
  }
  return keys;
}

bool is_in(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// A value without the noise of min + k step.
double rounded(double value) {
  constexpr double kDigits = 1e9;
  return std::round(value * kDigits) / kDigits;
}

/// The value at level u of a variable's range or list.
double value_at(const DesignVariable& variable, double u) {
  const std::size_t choices = variable.choices();
  if (choices == 0) return *variable.min + u * (*variable.max - *variable.min);
  const double place =
      std::min(std::floor(u * static_cast<double>(choices)), static_cast<double>(choices - 1));
  if (variable.is_range()) return rounded(*variable.min + place * *variable.step);
  return variable.values.empty() ? place : variable.values[static_cast<std::size_t>(place)];
}

}  // namespace

DesignSpace::DesignSpace(DesignRule rule, const std::function<bool(const std::string&)>& has_key)
    : rule_(std::move(rule)) {
  if (rule_.shapes.empty()) {
    shapes_.push_back({"", {}, std::vector<bool>(variables(), true)});
    return;
  }
  for (const std::string& name : rule_.shapes) {
    Shape shape{name, {}, std::vector<bool>(variables(), true)};
    const bool is_drawing = is_drawing_file(name);
    const std::vector<std::string> own = is_drawing ? std::vector<std::string>{} : keys_of(name);
    const auto take_away = [&](const std::string& leaf) {
      const std::string key = std::string(kFinger) + leaf;
      if (is_in(own, leaf)) return;
      for (std::size_t k = 0; k < variables(); ++k) {
        if (rule_.variables[k].key == key) shape.has[k] = false;
      }
      if (has_key(key)) shape.overrides.push_back(key + "=");
    };
    for (const FingerFeature& feature : finger_features()) {
      for (const char* key : feature.keys) take_away(key);
    }
    for (const char* key : kOutlineKeys) take_away(key);
    if (is_drawing || is_in(own, "pad_width_mm")) take_away("width_mm");
    if (!is_drawing && own.empty() && !has_key(std::string(kFinger) + "width_mm")) {
      // Nothing is left of [gripper.finger].
      shape.overrides.clear();
      if (has_key("gripper.finger")) shape.overrides.emplace_back("gripper.finger=");
    }
    if (is_drawing) shape.overrides.push_back(fmt::format("{}file=\"{}\"", kFinger, name));
    std::sort(shape.overrides.begin(), shape.overrides.end());
    const auto same = std::unique(shape.overrides.begin(), shape.overrides.end());
    shape.overrides.erase(same, shape.overrides.end());
    shapes_.push_back(std::move(shape));
  }
}

Design DesignSpace::at(std::span<const double> point) const {
  GRASPMAP_CHECK(point.size() == dimensions());
  const auto count = static_cast<double>(shapes());
  Design design;
  design.shape = static_cast<std::size_t>(std::min(std::floor(point[0] * count), count - 1));
  design.values.assign(variables(), 0.0);
  for (std::size_t k = 0; k < variables(); ++k) {
    if (has(design.shape, k)) design.values[k] = value_at(rule_.variables[k], point[1 + k]);
  }
  return design;
}

double DesignSpace::level(const Design& design, std::size_t variable) const {
  const DesignVariable& v = rule_.variables[variable];
  const double value = design.values[variable];
  const std::size_t choices = v.choices();
  if (choices == 0) return (value - *v.min) / (*v.max - *v.min);
  double place = value;
  if (v.is_range()) {
    place = std::round((value - *v.min) / *v.step);
  } else if (!v.values.empty()) {
    const auto found = std::find(v.values.begin(), v.values.end(), value);
    place = static_cast<double>(found - v.values.begin());
  }
  return (place + 0.5) / static_cast<double>(choices);
}

Design DesignSpace::with_level(Design design, std::size_t variable, double u) const {
  design.values[variable] = value_at(rule_.variables[variable], u);
  return design;
}

Design DesignSpace::near(const Design& design, double reach, std::span<const double> moves) const {
  GRASPMAP_CHECK(moves.size() == dimensions());
  Design moved = design;
  for (std::size_t k = 0; k < variables(); ++k) {
    const DesignVariable& variable = rule_.variables[k];
    if (!has(design.shape, k)) continue;
    const double by = 2.0 * moves[1 + k] - 1.0;
    const double u = level(design, k);
    const std::size_t choices = variable.choices();
    if (!variable.is_range()) {
      // A list has no order: mostly it stays, else any of it.
      if (std::abs(by) < 0.3) moved = with_level(moved, k, std::abs(by) / 0.3);
      continue;
    }
    double far = reach;
    // A coarse step moves one time in three, by one at least.
    if (choices > 0) far = std::max(far, 1.5 / static_cast<double>(choices));
    moved = with_level(moved, k, std::clamp(u + by * far, 0.0, 1.0));
  }
  return moved;
}

std::string DesignSpace::value_text(const Design& design, std::size_t variable) const {
  const DesignVariable& v = rule_.variables[variable];
  const double value = design.values[variable];
  if (!v.texts.empty()) return v.texts[static_cast<std::size_t>(value)];
  return fmt::format("{}", value);
}

std::vector<std::string> DesignSpace::overrides(const Design& design) const {
  std::vector<std::string> all = shapes_[design.shape].overrides;
  for (std::size_t k = 0; k < variables(); ++k) {
    if (!has(design.shape, k)) continue;
    const DesignVariable& v = rule_.variables[k];
    std::string value = value_text(design, k);
    if (!v.texts.empty()) value = fmt::format("\"{}\"", value);
    all.push_back(fmt::format("{}={}", v.key, value));
    for (const std::string& key : v.linked) all.push_back(fmt::format("{}={}", key, value));
  }
  return all;
}

std::string variable_name(const std::string& key) {
  // Most are of the gripper: their last word says enough.
  std::string_view leaf = key;
  if (leaf.starts_with("gripper.")) leaf.remove_prefix(leaf.rfind('.') + 1);
  std::string name(leaf.substr(0, without_unit(leaf).size()));
  for (char& c : name) {
    if (c == '_' || c == '.') c = ' ';
  }
  return name;
}

std::string quantity_text(const std::string& key, double value) {
  const std::string unit = unit_of_key(key);
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string DesignSpace::words(const Design& design) const {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < variables(); ++k) {
    if (!has(design.shape, k)) continue;
    const DesignVariable& v = rule_.variables[k];
    const std::string value =
        v.texts.empty() ? quantity_text(v.key, design.values[k]) : value_text(design, k);
    words.push_back(fmt::format("{} {}", variable_name(v.key), value));
  }
  const std::string& shape = shape_name(design.shape);
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  if (shape.empty()) return list;
  return list.empty() ? shape : fmt::format("{}: {}", shape, list);
}

}  // namespace graspmap
