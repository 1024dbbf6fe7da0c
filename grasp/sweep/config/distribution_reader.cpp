#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/distributions.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {
namespace {

/// How many sigmas from the mean a truncated normal's interval may begin: farther out, the
/// probability of the interval leaves the range of double.
constexpr double kFarthestTail = 30.0;
/// Each draw goes through a list.
constexpr std::size_t kMostListed = 1000;
constexpr NumberRange kWeights{.min = 0.0, .max = 1e15};
/// Rounding of probabilities that sum to 1: they are taken to the last bit then.
constexpr double kSumsToOne = 1e-12;
/// Sigmas between 0 and this are next to nothing.
constexpr double kLeastSigma = 1e-9;

/// What distributions are read from.
struct DistributionSource {
  const TomlTable& table;
  const NumberRange& values;            ///< that the quantity admits
  const NumberRange& within;            ///< the same, and the limits
  const std::filesystem::path& folder;  ///< of files
};

/// Bounds that are equal leave no width.
template <typename D>
void require_not_descending(const TomlTable& table, const D& d) {
  if (d.min <= d.max) return;
  table.fail("max", fmt::format("is {}; must be above min = {}, or equal to it", d.max, d.min));
}

/// Reads the bounds that are present.
template <typename D>
void read_bounds(const DistributionSource& source, D& d) {
  d.min = source.table.number_or(d.min, "min", source.values);
  d.max = source.table.number_or(d.max, "max", source.values);
}

/// Throws unless numbers that are there are among `within`, and sigma is not next to nothing.
void check_spread(const DistributionSource& source, const Distribution& distribution) {
  distribution.each_number([&](const char* key, double number, NumberRole role) {
    if (role != NumberRole::kPlace || !source.table.has(key)) return;
    check_limits(source.table, key, number, source.within);
  });
  if (const double sigma = distribution.sigma().value_or(0.0); sigma > 0) {
    const std::string_view key = source.table.has("sigma") ? "sigma" : "part_sigma";
    check_limits(source.table, key, sigma, {.min = kLeastSigma, .max = source.within.max});
  }
}

/// The bounds that may stand beside the value bind nothing but the value.
Distribution read_fixed(const DistributionSource& source) {
  const TomlTable& table = source.table;
  const double value = table.number("value", source.values);
  Normal bounds;
  read_bounds(source, bounds);
  table.check_keys();
  if (!(bounds.min < bounds.max)) {
    table.fail("max", fmt::format("is {}; must be above min = {}", bounds.max, bounds.min));
  }
  if (value < bounds.min || value > bounds.max) {
    table.fail("value", fmt::format("is {}; must lie in the bounds {} to {}", value, bounds.min,
                                    bounds.max));
  }
  return Fixed{value};
}

Distribution read_uniform(const DistributionSource& source) {
  Uniform d;
  d.min = source.table.number("min", source.values);
  d.max = source.table.number("max", source.values);
  source.table.check_keys();
  require_not_descending(source.table, d);
  return d;
}

/// A quantity with a limit must say what becomes of the draws beyond it.
void require_lower_bound(const DistributionSource& source, Normal& d) {
  if (std::isfinite(source.values.min)) d.min = source.table.number("min", source.values);
}

/// sigma, of which lot_sigma may be a part; or lot_sigma and part_sigma.
void read_sigmas(const TomlTable& table, Normal& d) {
  const bool has_part = table.has("part_sigma");
  d.lot_sigma = has_part ? table.number("lot_sigma", kNonNegative)
                         : table.number_or(0.0, "lot_sigma", kNonNegative);
  if (!has_part) {
    d.sigma = table.number("sigma", kNonNegative);
    return;
  }
  const double part_sigma = table.number("part_sigma", kNonNegative);
  d.sigma = std::sqrt(d.lot_sigma * d.lot_sigma + part_sigma * part_sigma);
  table.ask_for({"sigma"});
}

void check_sigmas(const TomlTable& table, const Normal& d) {
  if (table.has("part_sigma") && table.has("sigma")) {
    table.fail("sigma", "does not go with part_sigma; give sigma, or lot_sigma and part_sigma");
  }
  if (d.lot_sigma > d.sigma) {
    table.fail("lot_sigma", fmt::format("is {}; must be at most sigma = {}, of which it is a part",
                                        d.lot_sigma, d.sigma));
  }
}

Distribution read_normal(const DistributionSource& source) {
  const TomlTable& table = source.table;
  Normal d;
  d.mean = table.number("mean", kAnyNumber);
  read_sigmas(table, d);
  read_bounds(source, d);
  table.check_keys();
  check_sigmas(table, d);
  require_lower_bound(source, d);
  require_not_descending(table, d);
  return d;
}

Distribution read_truncated_normal(const DistributionSource& source) {
  const TomlTable& table = source.table;
  TruncatedNormal d;
  d.mean = table.number("mean", kAnyNumber);
  d.sigma = table.number("sigma", kNonNegative);
  read_bounds(source, d);
  table.check_keys();
  d.min = table.number("min", source.values);
  d.max = table.number("max", source.values);
  require_not_descending(table, d);
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

Distribution read_lognormal(const DistributionSource& source) {
  const TomlTable& table = source.table;
  Lognormal d;
  d.mean = table.number("mean", kPositive);
  d.sigma = table.number("sigma", kNonNegative);
  d.min = table.number_or(d.min, "min", kNonNegative);
  d.max = table.number_or(d.max, "max", source.values);
  table.check_keys();
  require_not_descending(table, d);
  if (const double end = Distribution(d).quantile(1.0 - kLeastLevel);
      !source.within.contains(end)) {
    table.fail("sigma", fmt::format("is {}, with which one draw in 1e9 is above {:.4g}; must be "
                                    "smaller, or give max",
                                    d.sigma, end));
  }
  return d;
}

Distribution read_triangular(const DistributionSource& source) {
  const TomlTable& table = source.table;
  Triangular d;
  d.min = table.number("min", source.values);
  d.mode = table.number("mode", source.values);
  d.max = table.number("max", source.values);
  table.check_keys();
  require_not_descending(table, d);
  if (d.mode < d.min || d.mode > d.max) {
    table.fail("mode",
               fmt::format("is {}; must be from min = {} to max = {}", d.mode, d.min, d.max));
  }
  return d;
}

/// Makes weights probabilities.
void normalise(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (std::abs(sum - 1.0) <= kSumsToOne) return;
  for (double& weight : weights) weight /= sum;
}

/// Throws unless all numbers of a list are within limits.
void check_list(const TomlTable& table, std::string_view key, const std::vector<double>& numbers,
                const NumberRange& within) {
  for (const double number : numbers) {
    if (!within.contains(number)) {
      table.fail(key, fmt::format("has {}; all must be {}", number, within.text()));
    }
  }
}

void check_weights(const TomlTable& table, std::string_view key, const std::vector<double>& weights,
                   std::size_t count, std::string_view of) {
  if (weights.size() != count) {
    table.fail(key, fmt::format("is a list of {}; must be a list of {}, one for each {}",
                                weights.size(), count, of));
  }
  check_list(table, key, weights, kWeights);
  if (*std::max_element(weights.begin(), weights.end()) > 0) return;
  table.fail(key, "are all 0; one at least must be above 0");
}

Distribution read_discrete(const DistributionSource& source) {
  const TomlTable& table = source.table;
  std::vector<double> values = table.number_list("values", 1, kMostListed);
  const bool has_weights = table.has("weights");
  std::vector<double> weights = has_weights ? table.number_list("weights", 1, kMostListed)
                                            : std::vector<double>(values.size(), 1.0);
  table.check_keys();
  check_list(table, "values", values, source.values);
  check_list(table, "values", values, source.within);
  check_weights(table, "weights", weights, values.size(), "value");
  std::vector<std::pair<double, double>> pairs;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (weights[k] > 0) pairs.emplace_back(values[k], weights[k]);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Discrete d;
  for (const auto& [value, weight] : pairs) {
    if (!d.values.empty() && d.values.back() == value) {
      d.weights.back() += weight;
    } else {
      d.values.push_back(value);
      d.weights.push_back(weight);
    }
  }
  normalise(d.weights);
  return d;
}

/// The bins of a table, without empty ones at the ends.
Distribution read_bins(const DistributionSource& source) {
  const TomlTable& table = source.table;
  std::vector<double> edges = table.number_list("edges", 2, kMostListed + 1);
  std::vector<double> counts = table.number_list("counts", 1, kMostListed);
  table.check_keys();
  check_list(table, "edges", edges, source.values);
  check_list(table, "edges", edges, source.within);
  for (std::size_t k = 1; k < edges.size(); ++k) {
    if (edges[k - 1] < edges[k]) continue;
    table.fail("edges", fmt::format("has {} after {}; must ascend", edges[k], edges[k - 1]));
  }
  check_weights(table, "counts", counts, edges.size() - 1, "bin, one fewer than edges");
  const auto is_full = [](double count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), is_full) - counts.begin();
  const auto behind = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), is_full);
  Histogram d;
  d.edges.assign(edges.begin() + first, edges.begin() + behind + 1);
  d.weights.assign(counts.begin() + first, counts.begin() + behind);
  normalise(d.weights);
  return d;
}

/// The numbers of a column of a CSV file, times a scale.
std::vector<double> read_measured(const DistributionSource& source, const std::string& column_name,
                                  double scale) {
  const CsvTable csv = read_csv(source.folder / source.table.text("file"));
  const std::size_t column = csv.column(column_name);
  std::vector<double> values;
  for (const CsvRow& row : csv.rows) {
    values.push_back(scale * csv.number(row, column));
    if (source.values.contains(values.back()) && source.within.contains(values.back())) continue;
    const NumberRange& range =
        source.values.contains(values.back()) ? source.within : source.values;
    csv.fail(row, column, fmt::format("is {}; must be {}", values.back(), range.text()));
  }
  if (values.empty()) throw config_error({csv.file}, "", "has no values");
  return values;
}

Distribution read_histogram(const DistributionSource& source) {
  const TomlTable& table = source.table;
  if (table.first_present({"file", "column", "bins", "scale"}).empty()) return read_bins(source);
  table.ask_for({"edges", "counts"});
  const std::string file = table.text("file");
  const std::string column = table.text("column");
  const auto bins =
      table.has("bins") ? table.integer("bins", 1, static_cast<std::int64_t>(kMostListed)) : 0;
  const double scale = table.number_or(1.0, "scale", kPositive);
  if (table.has("scale")) check_limits(table, "scale", scale, limits::kRatios);
  table.check_keys();
  if (const auto key = table.first_present({"edges", "counts"}); !key.empty()) {
    table.fail(key, "does not go with file; give edges and counts, or a file");
  }
  try {
    return histogram_of(read_measured(source, column, scale), static_cast<int>(bins));
  } catch (const ConfigError& error) {
    table.fail("file", error.what());
  }
}

/// The keys that distributions have beside "distribution"; some have them in common.
void name_keys_of_distributions(const TomlTable& table) {
  table.belongs_elsewhere("distribution = \"fixed\"", {"value"});
  table.belongs_elsewhere("distribution = \"normal\", \"truncated_normal\" and \"lognormal\"",
                          {"mean", "sigma"});
  table.belongs_elsewhere("distribution = \"normal\"", {"lot_sigma", "part_sigma"});
  table.belongs_elsewhere("distribution = \"triangular\"", {"mode"});
  table.belongs_elsewhere("distribution = \"discrete\"", {"values", "weights"});
  table.belongs_elsewhere("distribution = \"histogram\"",
                          {"edges", "counts", "file", "column", "bins", "scale"});
  table.belongs_elsewhere("other distributions", {"min", "max"});
}

}  // namespace

Distribution read_distribution(const TomlTable& parent, std::string_view key,
                               const NumberRange& values, const std::filesystem::path& folder,
                               double most) {
  const NumberRange within{.min = std::max(values.min, -most), .max = most};
  if (!parent.has_table(key)) {
    const double value = parent.number(key, values);
    check_limits(parent, key, value, within);
    return Fixed{value};
  }
  const TomlTable table = parent.table(key);
  const DistributionSource source{table, values, within, folder};
  // In the order of Distribution::Any.
  constexpr std::array kReaders = {
      read_fixed,     read_uniform,    read_normal,   read_truncated_normal,
      read_lognormal, read_triangular, read_discrete, read_histogram};
  const std::size_t kind = table.choice("distribution", Distribution::words());
  name_keys_of_distributions(table);
  if (!table.has("distribution")) {
    table.ask_for({"value", "mean", "sigma", "lot_sigma", "part_sigma", "min", "mode", "max",
                   "values", "weights", "edges", "counts", "file", "column", "bins", "scale"});
    table.check_keys();
  }
  const Distribution distribution = kReaders[kind](source);
  check_spread(source, distribution);
  return distribution.fixed_if_narrow();
}

}  // namespace graspmap
