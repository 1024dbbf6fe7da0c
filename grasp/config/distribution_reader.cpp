#include "grasp/config/distribution_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/config/limits.hpp"

namespace graspmap {
namespace {

/// How many sigmas from the mean a truncated normal's interval may begin: farther out, the
/// probability of the interval leaves the range of double.
constexpr double kFarthestTail = 30.0;

void require_ascending(const TomlTable& table, const Distribution& d) {
  if (d.min < d.max) return;
  table.fail("max", fmt::format("is {}; must be above min = {}", d.max, d.min));
}

/// Reads the bounds that are present.
void read_bounds(const TomlTable& table, const NumberRange& values, Distribution& d) {
  d.min = table.number_or(d.min, "min", values);
  d.max = table.number_or(d.max, "max", values);
}

Distribution read_fixed(const TomlTable& table, const NumberRange& values) {
  Distribution d{.kind = DistributionKind::kFixed};
  d.mean = table.number("value", values);
  read_bounds(table, values, d);
  table.check_keys();
  require_ascending(table, d);
  if (d.mean < d.min || d.mean > d.max) {
    table.fail("value",
               fmt::format("is {}; must lie in the bounds {} to {}", d.mean, d.min, d.max));
  }
  return d;
}

Distribution read_uniform(const TomlTable& table, const NumberRange& values) {
  Distribution d{.kind = DistributionKind::kUniform};
  d.min = table.number("min", values);
  d.max = table.number("max", values);
  table.check_keys();
  require_ascending(table, d);
  return d;
}

/// Reads the keys of both normal distributions.
Distribution read_normal(const TomlTable& table, const NumberRange& values) {
  Distribution d{.kind = DistributionKind::kNormal};
  d.mean = table.number("mean", kAnyNumber);
  d.sigma = table.number("sigma", kPositive);
  read_bounds(table, values, d);
  table.check_keys();
  // A quantity with a limit must say what becomes of the draws beyond it.
  if (std::isfinite(values.min)) d.min = table.number("min", values);
  require_ascending(table, d);
  return d;
}

Distribution read_truncated_normal(const TomlTable& table, const NumberRange& values) {
  Distribution d = read_normal(table, values);
  d.kind = DistributionKind::kTruncatedNormal;
  d.min = table.number("min", values);
  d.max = table.number("max", values);
  const double reach = kFarthestTail * d.sigma;
  if (d.min > d.mean + reach) {
    table.fail("min",
               fmt::format("is {}; must be at most {} sigma above mean", d.min, kFarthestTail));
  }
  if (d.max < d.mean - reach) {
    table.fail("max",
               fmt::format("is {}; must be at most {} sigma below mean", d.max, kFarthestTail));
  }
  return d;
}

/// Throws unless all numbers are among `values`, and sigma is not next to nothing.
void check_spread(const TomlTable& table, const Distribution& d, const NumberRange& values) {
  const auto check = [&](std::string_view key, double value) {
    if (table.has(key)) check_limits(table, key, value, values);
  };
  check(d.kind == DistributionKind::kFixed ? "value" : "mean", d.mean);
  check("min", d.min);
  check("max", d.max);
  if (table.has("sigma")) check_limits(table, "sigma", d.sigma, {.min = 1e-9, .max = values.max});
}

}  // namespace

Distribution read_distribution(const TomlTable& parent, std::string_view key,
                               const NumberRange& values, double most) {
  const NumberRange within{.min = std::max(values.min, -most), .max = most};
  if (!parent.has_table(key)) {
    const double value = parent.number(key, values);
    check_limits(parent, key, value, within);
    return {.kind = DistributionKind::kFixed, .mean = value};
  }
  const TomlTable table = parent.table(key);
  constexpr std::array kReaders = {read_fixed, read_uniform, read_normal, read_truncated_normal};
  const std::size_t kind =
      table.choice("distribution", {"fixed", "uniform", "normal", "truncated_normal"});
  table.belongs_elsewhere("distribution = \"fixed\"", {"value"});
  table.belongs_elsewhere("distribution = \"normal\" and \"truncated_normal\"", {"mean", "sigma"});
  if (!table.has("distribution")) {
    table.ask_for({"value", "mean", "sigma", "min", "max"});
    table.check_keys();
  }
  const Distribution distribution = kReaders[kind](table, values);
  check_spread(table, distribution, within);
  return distribution;
}

}  // namespace graspmap
