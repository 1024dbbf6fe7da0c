#include "grasp/base/probability/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"

namespace graspmap {

double normal_cumulative(double z) { return 0.5 * elementary::erfc(-z / std::numbers::sqrt2); }

double normal_score(double p) { return elementary::normal_score(p); }

double normal_density(double z) {
  return elementary::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

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

/// P(low < Z < high) for a standard normal Z, from the tail in which it keeps its precision.
double standard_probability(double low, double high) {
  const double half = (high - low) / 2;
  const double middle = (low + high) / 2;
  // The difference of two probabilities that are nearly equal has few digits. There five points of
  // Gauss and Legendre are exact to rounding.
  if (half * (1 + std::abs(middle)) < 0.05) {
    constexpr std::array kPoints = {0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr std::array kWeights = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double sum = kWeights[0] * normal_density(middle);
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const double step = half * kPoints[k];
      sum += kWeights[k] * (normal_density(middle - step) + normal_density(middle + step));
    }
    return half * sum;
  }
  if (low + high > 0) return normal_cumulative(-low) - normal_cumulative(-high);
  return normal_cumulative(high) - normal_cumulative(low);
}

template <typename D>
double standardised(const D& d, double x) {
  return (x - d.mean) / d.sigma;
}

/// The probability of the draws between the bounds before they are renormalised.
double probability_inside(const TruncatedNormal& d) {
  return standard_probability(standardised(d, d.min), standardised(d, d.max));
}

/// What of a normal or lognormal whose bounds have these normal scores is moved onto x.
template <typename D>
double atom_at_bound(const D& d, double x, double min_score, double max_score) {
  if (x == d.min) return normal_cumulative(min_score);
  return x == d.max ? normal_cumulative(-max_score) : 0.0;
}

/// sigma of the logarithm of a lognormal: sqrt(ln(1 + (sigma / mean)^2)).
double log_sigma(const Lognormal& d) {
  const double ratio = d.sigma / d.mean;
  return std::sqrt(elementary::log1p(ratio * ratio));
}

/// The normal score of a value of a lognormal, -infinity for x <= 0. Its logarithm has the mean
/// ln(mean) - log_sigma^2 / 2.
double lognormal_score(const Lognormal& d, double x) {
  if (x <= 0) return -std::numeric_limits<double>::infinity();
  const double s = log_sigma(d);
  // Of a narrow distribution x / mean is nearly 1: its logarithm would lose digits.
  return elementary::log1p((x - d.mean) / d.mean) / s + s / 2;
}

/// A value or bin of a distribution that is listed, and the probability of those before it.
struct ListedAt {
  std::size_t index;
  double below;
};

/// The first value or bin whose probability, with those before it, reaches u; the last one for what
/// rounding leaves.
ListedAt listed_at(const std::vector<double>& weights, double u) {
  ListedAt at{0, 0.0};
  for (; at.index + 1 < weights.size(); ++at.index) {
    const double sum = at.below + weights[at.index];
    if (u <= sum) break;
    at.below = sum;
  }
  return at;
}

/// ", at least 0", behind a mean and a sigma.
std::string bounds_text(const Interval& bounds) {
  const auto& [min, max] = bounds;
  if (std::isfinite(min) && std::isfinite(max)) return fmt::format(", {} to {}", min, max);
  if (std::isfinite(min)) return fmt::format(", at least {}", min);
  return std::isfinite(max) ? fmt::format(", at most {}", max) : "";
}

Interval range_of(const Fixed& d) { return {d.value, d.value}; }
Interval range_of(const Discrete& d) { return {d.values.front(), d.values.back()}; }
Interval range_of(const Histogram& d) { return {d.edges.front(), d.edges.back()}; }
template <typename D>
Interval range_of(const D& d) {
  return {d.min, d.max};
}

}  // namespace

double Normal::quantile(double u) const { return mean + sigma * normal_score(u); }

double Normal::density(double x) const { return normal_density(standardised(*this, x)) / sigma; }

double Normal::atom(double x) const {
  return atom_at_bound(*this, x, standardised(*this, min), standardised(*this, max));
}

double Normal::cumulative(double x) const { return normal_cumulative(standardised(*this, x)); }

std::optional<Uniform> TruncatedNormal::flat() const {
  constexpr double kFlat = 1e-5;
  const double farthest = std::max(std::abs(min - mean), std::abs(max - mean));
  // In units of sigma: the largest slope of the density's logarithm times the width.
  if (!((max - min) / sigma * (1 + farthest / sigma) < kFlat)) return std::nullopt;
  return Uniform{min, max};
}

double TruncatedNormal::quantile(double u) const {
  if (const auto uniform = flat()) return uniform->quantile(u);
  return mean +
         sigma * standard_truncated_quantile(standardised(*this, min), standardised(*this, max), u);
}

double TruncatedNormal::density(double x) const {
  if (const auto uniform = flat()) return uniform->density(x);
  return normal_density(standardised(*this, x)) / (sigma * probability_inside(*this));
}

double TruncatedNormal::cumulative(double x) const {
  if (const auto uniform = flat()) return uniform->cumulative(x);
  return standard_probability(standardised(*this, min), standardised(*this, x)) /
         probability_inside(*this);
}

double Lognormal::quantile(double u) const {
  const double s = log_sigma(*this);
  return mean * elementary::exp(s * (normal_score(u) - s / 2));
}

double Lognormal::density(double x) const {
  return x > 0 ? normal_density(lognormal_score(*this, x)) / (x * log_sigma(*this)) : 0.0;
}

double Lognormal::atom(double x) const {
  return atom_at_bound(*this, x, lognormal_score(*this, min), lognormal_score(*this, max));
}

double Lognormal::cumulative(double x) const {
  return normal_cumulative(lognormal_score(*this, x));
}

double Triangular::quantile(double u) const {
  const double width = max - min;
  if (u <= (mode - min) / width) return std::min(mode, min + std::sqrt(u * width * (mode - min)));
  return std::max(mode, max - std::sqrt((1.0 - u) * width * (max - mode)));
}

double Triangular::density(double x) const {
  const double height = 2.0 / (max - min);
  if (x < mode) return height * (x - min) / (mode - min);
  if (x > mode) return height * (max - x) / (max - mode);
  return height;
}

double Triangular::cumulative(double x) const {
  const double width = max - min;
  // Where the mode is the minimum this is 0, not 0 / 0.
  if (x <= mode) return (x - min) * (x - min) / (width * std::max(mode - min, 1e-300));
  return 1.0 - (max - x) * (max - x) / (width * (max - mode));
}

double Discrete::quantile(double u) const { return values[listed_at(weights, u).index]; }

double Discrete::atom(double x) const {
  const auto found = std::lower_bound(values.begin(), values.end(), x);
  if (found == values.end() || *found != x) return 0.0;
  return weights[static_cast<std::size_t>(found - values.begin())];
}

double Discrete::cumulative(double x) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < values.size() && values[k] <= x; ++k) sum += weights[k];
  return std::min(1.0, sum);
}

std::size_t Histogram::bin_of(double x) const {
  // The last edge belongs to the last bin.
  const auto above = std::upper_bound(edges.begin(), edges.end() - 1, x);
  return static_cast<std::size_t>(above - edges.begin()) - 1;
}

double Histogram::quantile(double u) const {
  const auto [bin, below] = listed_at(weights, u);
  const double low = edges[bin];
  const double high = edges[bin + 1];
  if (!(weights[bin] > 0)) return low;
  return std::clamp(low + (u - below) / weights[bin] * (high - low), low, high);
}

double Histogram::density(double x) const {
  const std::size_t bin = bin_of(x);
  return weights[bin] / (edges[bin + 1] - edges[bin]);
}

double Histogram::cumulative(double x) const {
  const std::size_t bin = bin_of(x);
  double sum = 0.0;
  for (std::size_t k = 0; k < bin; ++k) sum += weights[k];
  const double share = (x - edges[bin]) / (edges[bin + 1] - edges[bin]);
  return std::min(1.0, sum + weights[bin] * share);
}

double Distribution::quantile(double u) const {
  return visit([&](const auto& d) {
    const Interval range = range_of(d);
    return std::clamp(d.quantile(u), range.low, range.high);
  });
}

double Distribution::density(double x) const {
  return visit([&](const auto& d) {
    const Interval range = range_of(d);
    return x < range.low || x > range.high ? 0.0 : d.density(x);
  });
}

double Distribution::atom(double x) const {
  return visit([&](const auto& d) {
    const Interval range = range_of(d);
    if constexpr (requires { d.atom(x); }) {
      if (x >= range.low && x <= range.high) return d.atom(x);
    }
    return 0.0;
  });
}

double Distribution::cumulative(double x) const {
  return visit([&](const auto& d) {
    const Interval range = range_of(d);
    if (x < range.low) return 0.0;
    return x >= range.high ? 1.0 : d.cumulative(x);
  });
}

Interval Distribution::range() const {
  return visit([](const auto& d) { return range_of(d); });
}

double Distribution::mean() const {
  return visit([](const auto& d) { return d.moments().mean; });
}

double Distribution::variance() const {
  return visit([](const auto& d) { return d.moments().variance; });
}

const char* Distribution::word() const {
  return visit([](const auto& d) { return d.kWord; });
}

std::vector<std::string_view> Distribution::words() {
  return []<typename... D>(std::type_identity<std::variant<D...>>) {
    return std::vector<std::string_view>{D::kWord...};
  }(std::type_identity<Any>());
}

std::string Distribution::text() const {
  const Interval bounds = range();
  return visit([&]<typename D>(const D& d) -> std::string {
    if constexpr (std::is_same_v<D, Fixed>) {
      return fmt::format("fixed {}", d.value);
    } else if constexpr (std::is_same_v<D, Discrete>) {
      return fmt::format("{} values from {} to {}", d.values.size(), bounds.low, bounds.high);
    } else if constexpr (std::is_same_v<D, Histogram>) {
      return fmt::format("histogram of {} bins, {} to {}", d.weights.size(), bounds.low,
                         bounds.high);
    } else if constexpr (requires { d.sigma; }) {
      const char* name = std::is_same_v<D, TruncatedNormal> ? "truncated normal" : D::kWord;
      return fmt::format("{} {} +- {}{}", name, d.mean, d.sigma, bounds_text(bounds));
    } else {
      std::string text = fmt::format("{} {} to {}", D::kWord, bounds.low, bounds.high);
      if constexpr (requires { d.mode; }) text += fmt::format(", mode {}", d.mode);
      return text;
    }
  });
}

std::optional<double> Distribution::sigma() const {
  return visit([](const auto& d) -> std::optional<double> {
    if constexpr (requires { d.sigma; }) return d.sigma;
    return std::nullopt;
  });
}

double Distribution::width() const {
  if (const auto* uniform = as<Uniform>()) return (uniform->max - uniform->min) / 2;
  return sigma().value_or(std::sqrt(variance()));
}

double Distribution::lot_share() const {
  const Normal* normal = as<Normal>();
  return normal != nullptr && normal->lot_sigma > 0 ? normal->lot_sigma / normal->sigma : 0.0;
}

template <typename Change>
Distribution Distribution::changed(const Change& change) const {
  const auto change_all = [&]<typename N>(const char* /*key*/, N& number, NumberRole role) {
    if constexpr (std::is_same_v<N, double>) {
      change(number, role);
    } else {
      for (double& of_list : number) change(of_list, role);
    }
  };
  Distribution copy = *this;
  std::visit([&](auto& d) { d.each(d, change_all); }, copy.any_);
  return copy;
}

Distribution Distribution::widened(double factor) const {
  GRASPMAP_CHECK(factor > 0.0);
  const bool has_sigma = sigma().has_value();
  const double centre = mean();
  return changed([&](double& number, NumberRole role) {
    if (role == NumberRole::kWidth || role == NumberRole::kLotWidth) number *= factor;
    if (role == NumberRole::kPlace && !has_sigma) number = centre + factor * (number - centre);
  });
}

Distribution Distribution::shifted(double amount) const {
  return changed([&](double& number, NumberRole role) {
    if (role == NumberRole::kPlace) number += amount;
  });
}

Distribution Distribution::scaled(double factor) const {
  GRASPMAP_CHECK(factor > 0.0);
  return changed([&](double& number, NumberRole role) {
    if (role != NumberRole::kWeight) number *= factor;
  });
}

Distribution Distribution::fixed_if_narrow() const {
  const Interval bounds = range();
  if (bounds.low == bounds.high) return Fixed{bounds.low};
  return visit([&](const auto& d) -> Distribution {
    if constexpr (requires { d.sigma; }) {
      if (d.sigma == 0) return Fixed{std::clamp(d.mean, d.min, d.max)};
    }
    return d;
  });
}

Distribution Distribution::without_lots() const {
  return changed([](double& number, NumberRole role) {
    if (role == NumberRole::kLotWidth) number = 0.0;
  });
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
  const auto [found_least, found_most] = std::minmax_element(values.begin(), values.end());
  const double least = *found_least;
  const double most = *found_most;
  if (least == most) return Fixed{least};
  Histogram found;
  found.edges = even_edges(least, most, bins > 0 ? bins : bins_for(values, most - least));
  const auto not_above = [](double a, double b) { return !(a < b); };
  if (std::adjacent_find(found.edges.begin(), found.edges.end(), not_above) != found.edges.end()) {
    found.edges = {least, most};  // too narrow to be divided
  }
  found.weights.assign(found.edges.size() - 1, 0.0);
  for (const double value : values) found.weights[found.bin_of(value)] += 1.0;
  for (double& weight : found.weights) weight /= static_cast<double>(values.size());
  return found;
}

}  // namespace graspmap
