#include "grasp/sweep/config/hold_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"

namespace graspmap {
namespace {

constexpr double kMmPerM = 1000.0;

Eigen::Vector3d vector_of(const std::array<double, 3>& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

double contact_low_mm(const HoldRule& rule) {
  return std::max(0.0, *rule.contact_height_mm - *rule.pad_height_mm / 2);
}
double contact_high_mm(const HoldRule& rule) {
  return std::min(rule.part_height_mm, *rule.contact_height_mm + *rule.pad_height_mm / 2);
}

std::vector<std::array<double, 3>> read_directions(const TomlTable& table) {
  std::vector<std::array<double, 3>> directions;
  for (const std::vector<double>& numbers : table.number_lists("directions", 3, 3)) {
    directions.push_back({numbers[0], numbers[1], numbers[2]});
    if (!(vector_of(directions.back()).norm() > 0.0)) {
      table.fail("directions", "has [0, 0, 0]; must be vectors other than 0");
    }
  }
  if (directions.empty()) table.fail("directions", "is empty; must have a vector or more");
  return directions;
}

}  // namespace

Manoeuvre manoeuvre_of(const HoldRule& rule) {
  Manoeuvre manoeuvre;
  manoeuvre.heights = {*rule.center_of_mass_height_mm, contact_low_mm(rule), contact_high_mm(rule)};
  manoeuvre.drive = rule.drives;
  manoeuvre.acceleration_mm_s2 = kMmPerM * rule.acceleration_m_s2;
  manoeuvre.all_horizontal = rule.direction == HoldDirection::kHorizontal;
  if (rule.direction == HoldDirection::kGiven) {
    manoeuvre.directions.clear();
    for (const auto& direction : rule.directions) {
      const Eigen::Vector3d v = vector_of(direction);
      manoeuvre.directions.emplace_back(v / v.norm());
    }
  }
  manoeuvre.tool_mass_kg = rule.tool_mass_kg;
  manoeuvre.tool_at_mm = vector_of(rule.tool_at_mm);
  return manoeuvre;
}

std::string manoeuvre_words(const HoldRule& rule) {
  if (rule.acceleration_m_s2 == 0.0) return "lifted slowly";
  const std::string size = fmt::format("with {:.4g} m/s²", rule.acceleration_m_s2);
  if (rule.direction == HoldDirection::kUp) return "lifted " + size;
  if (rule.direction == HoldDirection::kHorizontal) {
    return fmt::format("moved {} in any horizontal direction", size);
  }
  return fmt::format("moved {} in the worst of {} directions", size, rule.directions.size());
}

HoldRule read_hold(const TomlTable& table, const std::optional<double>& thickness_mm) {
  HoldRule rule;
  if (thickness_mm) rule.part_height_mm = *thickness_mm;
  if (!thickness_mm && !table.has("part_height_mm")) {
    table.fail("part_height_mm",
               "missing; must be given where [part] has no thickness_mm: the part's height in mm");
  }
  KeyReader keys(table);
  hold_keys(keys, rule);
  const double height_mm = rule.part_height_mm;
  rule.center_of_mass_height_mm = rule.center_of_mass_height_mm.value_or(height_mm / 2);
  rule.contact_height_mm = rule.contact_height_mm.value_or(height_mm / 2);
  rule.pad_height_mm = rule.pad_height_mm.value_or(height_mm);
  if (*rule.center_of_mass_height_mm > height_mm) {
    table.fail("center_of_mass_height_mm", fmt::format("is {}; must be at most part_height_mm = {}",
                                                       *rule.center_of_mass_height_mm, height_mm));
  }
  if (table.has("directions")) {
    if (table.has("direction")) {
      table.fail("directions", "there is direction, too; must be one of them");
    }
    rule.direction = HoldDirection::kGiven;
    rule.directions = read_directions(table);
  }
  if (contact_high_mm(rule) < contact_low_mm(rule)) {
    table.fail("contact_height_mm",
               fmt::format("is {}: pads of {} mm there do not reach the part, which is {} mm high; "
                           "must be such that they do",
                           *rule.contact_height_mm, *rule.pad_height_mm, height_mm));
  }
  return rule;
}

}  // namespace graspmap
