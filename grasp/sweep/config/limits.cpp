#include "grasp/sweep/config/limits.hpp"

#include <fmt/format.h>

namespace graspmap {

void check_limits(const TomlTable& table, std::string_view key, double value,
                  const NumberRange& within) {
  if (within.contains(value)) return;
  table.fail(key, fmt::format("is {}; must be {}", value, within.text()));
}

double positive_within(const TomlTable& table, std::string_view key, const NumberRange& within) {
  const double value = table.number(key, kPositive);
  check_limits(table, key, value, within);
  return value;
}

double positive_within_or(const TomlTable& table, double fallback, std::string_view key,
                          const NumberRange& within) {
  return table.has(key) ? positive_within(table, key, within) : fallback;
}

double read_placed_angle_rad(const CsvTable& table, const CsvRow& row, std::size_t column) {
  const double angle = table.number(row, column);
  if (limits::kPlacedAngles_rad.contains(angle)) return angle;
  table.fail(row, column, fmt::format("{}; must be from -10000 to 10000", angle));
}

}  // namespace graspmap
