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

/// The numbers that a key admits in the distribution of a quantity that admits `values`.
NumberRange range_of(std::string_view word, std::string_view key, const NumberRange& values) {
  const bool is_lognormal = word == Lognormal::kWord;
  if (key == "mean") return is_lognormal ? kPositive : kAnyNumber;
  if (key.ends_with("sigma") || (is_lognormal && key == "min")) return kNonNegative;
  return values;
}

/// The numbers that are there.
template <typename D>
D read_numbers(const DistributionSource& source) {
  D d;
  D::each(d, [&](const char* key, double& number, NumberRole /*role*/) {
    number = source.table.number_or(number, key, range_of(D::kWord, key, source.values));
  });
  return d;
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
  const Fixed d = read_numbers<Fixed>(source);
  NumberRange bounds;
  bounds.min = table.number_or(bounds.min, "min", source.values);
  bounds.max = table.number_or(bounds.max, "max", source.values);
  if (!(bounds.min < bounds.max)) {
    table.fail("max", fmt::format("is {}; must be above min = {}", bounds.max, bounds.min));
  }
  if (!bounds.contains(d.value)) {
    table.fail("value", fmt::format("is {}; must lie in the bounds {} to {}", d.value, bounds.min,
                                    bounds.max));
  }
  return d;
}

Distribution read_uniform(const DistributionSource& source) {
  const Uniform d = read_numbers<Uniform>(source);
  require_not_descending(source.table, d);
  return d;
}

/// sigma, of which lot_sigma may be a part; or lot_sigma and part_sigma.
Distribution read_normal(const DistributionSource& source) {
  const TomlTable& table = source.table;
  Normal d = read_numbers<Normal>(source);
  if (table.has("part_sigma")) {
    table.refuse_both("sigma", "part_sigma", "give sigma, or lot_sigma and part_sigma");
    const double part_sigma = table.number("part_sigma", kNonNegative);
    d.sigma = std::sqrt(d.lot_sigma * d.lot_sigma + part_sigma * part_sigma);
  }
  if (d.lot_sigma > d.sigma) {
    table.fail("lot_sigma", fmt::format("is {}; must be at most sigma = {}, of which it is a part",
                                        d.lot_sigma, d.sigma));
  }
  require_not_descending(table, d);
  return d;
}

Distribution read_truncated_normal(const DistributionSource& source) {
  const TomlTable& table = source.table;
  const TruncatedNormal d = read_numbers<TruncatedNormal>(source);
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
  const Lognormal d = read_numbers<Lognormal>(source);
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
  const Triangular d = read_numbers<Triangular>(source);
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
    const double value = scale * csv.number(row, column);
    for (const NumberRange& range : {source.values, source.within}) {
      if (range.contains(value)) continue;
      csv.fail(row, column, fmt::format("is {}; must be {}", value, range.text()));
    }
    values.push_back(value);
  }
  if (values.empty()) throw config_error({csv.file}, "", "has no values");
  return values;
}

Distribution read_histogram(const DistributionSource& source) {
  const TomlTable& table = source.table;
  if (table.first_present({"file", "column", "bins", "scale"}).empty()) return read_bins(source);
  const std::string column = table.text("column");
  const auto bins =
      table.has("bins") ? table.integer("bins", 1, static_cast<std::int64_t>(kMostListed)) : 0;
  const double scale = table.number_or(1.0, "scale", kPositive);
  if (table.has("scale")) check_limits(table, "scale", scale, limits::kRatios);
  for (const char* key : {"edges", "counts"}) {
    table.refuse_both(key, "file", "give edges and counts, or a file");
  }
  try {
    return histogram_of(read_measured(source, column, scale), static_cast<int>(bins));
  } catch (const ConfigError& error) {
    table.fail_in_file("file", error);
  }
}

using Keys = std::vector<std::string_view>;

/// A way to write a distribution.
struct DistributionForm {
  std::string_view word;
  Keys required;
  Keys optional;

  [[nodiscard]] bool has(std::string_view key) const {
    const auto is_among = [&](const Keys& keys) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    return is_among(required) || is_among(optional);
  }
};

/// The keys of all distributions. Of two forms with the same word the second is meant where one of
/// its keys is there that the first does not have.
const std::vector<DistributionForm>& distribution_forms() {
  static const std::vector<DistributionForm> kForms = {
      {Fixed::kWord, {"value"}, {"min", "max"}},
      {Uniform::kWord, {"min", "max"}, {}},
      {Normal::kWord, {"mean", "sigma"}, {"lot_sigma", "min", "max"}},
      {Normal::kWord, {"mean", "lot_sigma", "part_sigma"}, {"min", "max"}},
      {TruncatedNormal::kWord, {"mean", "sigma", "min", "max"}, {}},
      {Lognormal::kWord, {"mean", "sigma"}, {"min", "max"}},
      {Triangular::kWord, {"min", "mode", "max"}, {}},
      {Discrete::kWord, {"values"}, {"weights"}},
      {Histogram::kWord, {"edges", "counts"}, {}},
      {Histogram::kWord, {"file", "column"}, {"bins", "scale"}},
  };
  return kForms;
}

/// The form that a table has; null without a word of one.
const DistributionForm* find_form(const toml::table& table) {
  const std::string_view word = table["distribution"].value_or(std::string_view());
  const DistributionForm* found = nullptr;
  for (const DistributionForm& form : distribution_forms()) {
    if (form.word != word) continue;
    if (found == nullptr) found = &form;
    for (const auto& [key, node] : table) {
      if (form.has(key.str()) && !found->has(key.str())) return &form;
    }
  }
  return found;
}

}  // namespace

Keys distributions_with(std::string_view key) {
  Keys words;
  for (const DistributionForm& form : distribution_forms()) {
    if (form.has(key) && (words.empty() || words.back() != form.word)) words.push_back(form.word);
  }
  return words;
}

std::vector<MissingKey> missing_keys(const toml::table& distribution, const NumberRange& values) {
  std::vector<MissingKey> missing;
  const DistributionForm* form = find_form(distribution);
  if (form == nullptr) return missing;
  Keys required = form->required;
  // A quantity with a limit must say what becomes of the draws beyond it.
  if (form->word == Normal::kWord && std::isfinite(values.min)) required.emplace_back("min");
  for (const std::string_view key : required) {
    if (!distribution.contains(key)) missing.push_back({key, range_of(form->word, key, values)});
  }
  return missing;
}

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
  const Distribution distribution = kReaders[kind](source);
  check_spread(source, distribution);
  return distribution.fixed_if_narrow();
}

}  // namespace graspmap
