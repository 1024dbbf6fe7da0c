#include "grasp/base/probability/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

/// The standard normal renormalised on [low, high], at u. Solved in the lower tail, where
/// probabilities keep their relative precision: an interval with more of the upper tail is
/// mirrored.
double standard_truncated_quantile(double low, double high, double u) {
  if (low + high > 0) return -standard_truncated_quantile(-high, -low, 1.0 - u);
  const double p_low = normal_cumulative(low);
  const double p_high = normal_cumulative(high);
  const double p = p_low + u * (p_high - p_low);
  // Above the median the complement is the tail: 1 - p = Phi(-high) + (1 - u) (p_high - p_low).
  if (p > 0.5) {
    return -normal_score(normal_cumulative(-high) + (1.0 - u) * (p_high - p_low));
  }
  return normal_score(p);
}

/// sigma of the logarithm of a lognormal: sqrt(ln(1 + (sigma / mean)^2)).
double log_sigma(const Distribution& d) {
  const double ratio = d.sigma / d.mean;
  return std::sqrt(elementary::log1p(ratio * ratio));
}

/// The normal score of a value of a lognormal, -infinity for x <= 0. Its logarithm has the mean
/// ln(mean) - log_sigma^2 / 2.
double lognormal_score(const Distribution& d, double x) {
  if (x <= 0) return -std::numeric_limits<double>::infinity();
  const double s = log_sigma(d);
  return elementary::log1p((x - d.mean) / d.mean) / s + s / 2;
}

double lognormal_quantile(const Distribution& d, double u) {
  const double s = log_sigma(d);
  return d.mean * elementary::exp(s * (normal_score(u) - s / 2));
}

/// P(X <= mode) of a triangular law.
double share_below_mode(const Distribution& d) { return (d.mode - d.min) / (d.max - d.min); }

double triangular_quantile(const Distribution& d, double u) {
  const double width = d.max - d.min;
  if (u <= share_below_mode(d)) {
    return std::min(d.mode, d.min + std::sqrt(u * width * (d.mode - d.min)));
  }
  return std::max(d.mode, d.max - std::sqrt((1.0 - u) * width * (d.max - d.mode)));
}

double triangular_cumulative(const Distribution& d, double x) {
  const double width = d.max - d.min;
  if (x <= d.mode) return (x - d.min) * (x - d.min) / (width * std::max(d.mode - d.min, 1e-300));
  return 1.0 - (d.max - x) * (d.max - x) / (width * (d.max - d.mode));
}

double triangular_density(const Distribution& d, double x) {
  const double height = 2.0 / (d.max - d.min);
  if (x < d.mode) return height * (x - d.min) / (d.mode - d.min);
  if (x > d.mode) return height * (d.max - x) / (d.max - d.mode);
  return height;
}

/// A value or bin of a law that is listed, and the probability of those before it.
struct ListedAt {
  std::size_t index;
  double below;
};

/// The first value or bin whose probability, with those before it, reaches u; the last one for what
/// rounding leaves.
ListedAt listed_at(const Distribution& d, double u) {
  ListedAt at{0, 0.0};
  for (; at.index + 1 < d.weights.size(); ++at.index) {
    const double sum = at.below + d.weights[at.index];
    if (u <= sum) break;
    at.below = sum;
  }
  return at;
}

double histogram_quantile(const Distribution& d, double u) {
  const auto [bin, below] = listed_at(d, u);
  const double low = d.values[bin];
  const double high = d.values[bin + 1];
  if (!(d.weights[bin] > 0)) return low;
  return std::clamp(low + (u - below) / d.weights[bin] * (high - low), low, high);
}

/// The bin of a histogram that holds x, edges[0] <= x; the last one at its upper edge.
std::size_t bin_of(const Distribution& d, double x) {
  const auto above = std::upper_bound(d.values.begin(), d.values.end() - 1, x);
  return static_cast<std::size_t>(above - d.values.begin()) - 1;
}

double histogram_cumulative(const Distribution& d, double x) {
  const std::size_t bin = bin_of(d, x);
  double sum = 0.0;
  for (std::size_t k = 0; k < bin; ++k) sum += d.weights[k];
  const double share = (x - d.values[bin]) / (d.values[bin + 1] - d.values[bin]);
  return std::min(1.0, sum + d.weights[bin] * share);
}

double discrete_cumulative(const Distribution& d, double x) {
  double sum = 0.0;
  for (std::size_t k = 0; k < d.values.size() && d.values[k] <= x; ++k) sum += d.weights[k];
  return std::min(1.0, sum);
}

double discrete_weight(const Distribution& d, double x) {
  const auto found = std::lower_bound(d.values.begin(), d.values.end(), x);
  if (found == d.values.end() || *found != x) return 0.0;
  return d.weights[static_cast<std::size_t>(found - d.values.begin())];
}

double unclamped_quantile(const Distribution& d, double u) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return d.mean;
    case DistributionKind::kUniform:
      return d.min + u * (d.max - d.min);
    case DistributionKind::kNormal:
      return d.mean + d.sigma * normal_score(u);
    case DistributionKind::kTruncatedNormal:
      return d.mean + d.sigma * standard_truncated_quantile((d.min - d.mean) / d.sigma,
                                                            (d.max - d.mean) / d.sigma, u);
    case DistributionKind::kLognormal:
      return lognormal_quantile(d, u);
    case DistributionKind::kTriangular:
      return triangular_quantile(d, u);
    case DistributionKind::kDiscrete:
      return d.values[listed_at(d, u).index];
    case DistributionKind::kHistogram:
      return histogram_quantile(d, u);
  }
  return d.mean;
}

double standard_density(double z) {
  return elementary::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// P(low < Z < high) for a standard normal Z, from the tail in which it keeps its precision.
double standard_probability(double low, double high) {
  if (low + high > 0) return normal_cumulative(-low) - normal_cumulative(-high);
  return normal_cumulative(high) - normal_cumulative(low);
}

double standardised(const Distribution& d, double x) { return (x - d.mean) / d.sigma; }

/// The probability of the draws between the bounds before they are clamped or renormalised.
double probability_inside(const Distribution& d) {
  return standard_probability(standardised(d, d.min), standardised(d, d.max));
}

/// P(draw <= x) for x in [min, max).
double cumulative_inside(const Distribution& d, double x) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return x >= d.mean ? 1.0 : 0.0;
    case DistributionKind::kUniform:
      return (x - d.min) / (d.max - d.min);
    case DistributionKind::kNormal:
      return normal_cumulative(standardised(d, x));
    case DistributionKind::kTruncatedNormal:
      return standard_probability(standardised(d, d.min), standardised(d, x)) /
             probability_inside(d);
    case DistributionKind::kLognormal:
      return normal_cumulative(lognormal_score(d, x));
    case DistributionKind::kTriangular:
      return triangular_cumulative(d, x);
    case DistributionKind::kDiscrete:
      return discrete_cumulative(d, x);
    case DistributionKind::kHistogram:
      return histogram_cumulative(d, x);
  }
  return 0.0;
}

}  // namespace

double normal_cumulative(double z) { return 0.5 * elementary::erfc(-z / std::numbers::sqrt2); }

double normal_score(double p) { return elementary::normal_score(p); }

double density(const Distribution& d, double x) {
  if (x < d.min || x > d.max) return 0.0;
  switch (d.kind) {
    case DistributionKind::kFixed:
    case DistributionKind::kDiscrete:
      return 0.0;
    case DistributionKind::kUniform:
      return 1.0 / (d.max - d.min);
    case DistributionKind::kNormal:
      return standard_density(standardised(d, x)) / d.sigma;
    case DistributionKind::kTruncatedNormal:
      return standard_density(standardised(d, x)) / (d.sigma * probability_inside(d));
    case DistributionKind::kLognormal:
      return x > 0 ? standard_density(lognormal_score(d, x)) / (x * log_sigma(d)) : 0.0;
    case DistributionKind::kTriangular:
      return triangular_density(d, x);
    case DistributionKind::kHistogram: {
      const std::size_t bin = bin_of(d, x);
      return d.weights[bin] / (d.values[bin + 1] - d.values[bin]);
    }
  }
  return 0.0;
}

double atom(const Distribution& d, double x) {
  if (d.kind == DistributionKind::kFixed) return x == quantile(d, 0.5) ? 1.0 : 0.0;
  if (d.kind == DistributionKind::kDiscrete) return discrete_weight(d, x);
  const bool is_lognormal = d.kind == DistributionKind::kLognormal;
  if (d.kind != DistributionKind::kNormal && !is_lognormal) return 0.0;
  const auto score = [&](double at) {
    return is_lognormal ? lognormal_score(d, at) : standardised(d, at);
  };
  if (x == d.min) return normal_cumulative(score(d.min));
  if (x == d.max) return normal_cumulative(-score(d.max));
  return 0.0;
}

double cumulative(const Distribution& distribution, double x) {
  if (x < distribution.min) return 0.0;
  if (x >= distribution.max) return 1.0;
  return cumulative_inside(distribution, x);
}

double quantile(const Distribution& distribution, double u) {
  return std::clamp(unclamped_quantile(distribution, u), distribution.min, distribution.max);
}

double sample_quantile(std::vector<double> values, double share) {
  GRASPMAP_CHECK(share >= 0.0 && share <= 1.0);
  if (values.empty()) return std::nan("");
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                   values.end());
  return values[rank];
}

namespace {

constexpr double kMostBins = 100;

int bins_for(const std::vector<double>& values, double range) {
  const auto n = static_cast<double>(values.size());
  const double iqr = sample_quantile(values, 0.75) - sample_quantile(values, 0.25);
  const auto log2_up = static_cast<double>(std::bit_width(values.size() - 1));
  const double bins = iqr > 0 ? range * elementary::cbrt(n) / (2 * iqr) : 1.0 + log2_up;
  return static_cast<int>(std::clamp(std::ceil(bins), 1.0, kMostBins));
}

/// bins + 1 edges from least to most.
std::vector<double> even_edges(double least, double most, int bins) {
  std::vector<double> edges;
  for (int k = 0; k < bins; ++k) edges.push_back(least + (most - least) * k / bins);
  edges.push_back(most);
  return edges;
}

}  // namespace

Distribution histogram_of(std::vector<double> values, int bins) {
  GRASPMAP_CHECK(!values.empty());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return {.kind = DistributionKind::kFixed, .mean = *least};
  Distribution law{.kind = DistributionKind::kHistogram, .min = *least, .max = *most};
  law.values = even_edges(law.min, law.max, bins > 0 ? bins : bins_for(values, law.max - law.min));
  const auto not_above = [](double a, double b) { return !(a < b); };
  if (std::adjacent_find(law.values.begin(), law.values.end(), not_above) != law.values.end()) {
    law.values = {law.min, law.max};  // too narrow to be divided
  }
  law.weights.assign(law.values.size() - 1, 0.0);
  for (const double value : values) law.weights[bin_of(law, value)] += 1.0;
  for (double& weight : law.weights) weight /= static_cast<double>(values.size());
  return law;
}

Distribution narrowed_law(const Distribution& law, double factor) {
  GRASPMAP_CHECK(factor > 0.0);
  Distribution narrow = law;
  if (law.sigma > 0) {
    narrow.sigma *= factor;
    narrow.lot_sigma *= factor;
    return narrow;
  }
  const double centre = mean_of_law(law);
  const auto move = [&](double& value) { value = centre + factor * (value - centre); };
  move(narrow.min);
  move(narrow.max);
  move(narrow.mode);
  for (double& value : narrow.values) move(value);
  return narrow;
}

}  // namespace graspmap
