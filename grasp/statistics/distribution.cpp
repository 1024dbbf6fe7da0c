#include "grasp/statistics/distribution.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace graspmap {
namespace {

// The same bits wherever double is IEEE: no promotion to the machine's long double.
using Policy = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

/// Phi(z), the standard normal's distribution function; relatively exact for z << 0.
double lower_tail(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// The z with Phi(z) = p, 0 < p < 1; relatively exact for p << 1.
double standard_normal_quantile(double p) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * p, Policy());
}

/// The standard normal renormalised on [low, high], at u. Solved in the lower tail, where
/// probabilities keep their relative precision: an interval with more of the upper tail is
/// mirrored.
double standard_truncated_quantile(double low, double high, double u) {
  if (low + high > 0) return -standard_truncated_quantile(-high, -low, 1.0 - u);
  const double p_low = lower_tail(low);
  const double p_high = lower_tail(high);
  const double p = p_low + u * (p_high - p_low);
  // Above the median the complement is the tail: 1 - p = Phi(-high) + (1 - u) (p_high - p_low).
  if (p > 0.5) {
    return -standard_normal_quantile(lower_tail(-high) + (1.0 - u) * (p_high - p_low));
  }
  return standard_normal_quantile(p);
}

double unclamped_quantile(const Distribution& d, double u) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return d.mean;
    case DistributionKind::kUniform:
      return d.min + u * (d.max - d.min);
    case DistributionKind::kNormal:
      return d.mean + d.sigma * standard_normal_quantile(u);
    case DistributionKind::kTruncatedNormal:
      return d.mean + d.sigma * standard_truncated_quantile((d.min - d.mean) / d.sigma,
                                                            (d.max - d.mean) / d.sigma, u);
  }
  return d.mean;
}

double standard_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// P(low < Z < high) for a standard normal Z, from the tail in which it keeps its precision.
double standard_probability(double low, double high) {
  if (low + high > 0) return lower_tail(-low) - lower_tail(-high);
  return lower_tail(high) - lower_tail(low);
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
      return lower_tail(standardised(d, x));
    case DistributionKind::kTruncatedNormal:
      return standard_probability(standardised(d, d.min), standardised(d, x)) /
             probability_inside(d);
  }
  return 0.0;
}

}  // namespace

double density(const Distribution& distribution, double x) {
  const Distribution& d = distribution;
  if (x < d.min || x > d.max) return 0.0;
  switch (d.kind) {
    case DistributionKind::kFixed:
      return 0.0;
    case DistributionKind::kUniform:
      return 1.0 / (d.max - d.min);
    case DistributionKind::kNormal:
      return standard_density(standardised(d, x)) / d.sigma;
    case DistributionKind::kTruncatedNormal:
      return standard_density(standardised(d, x)) / (d.sigma * probability_inside(d));
  }
  return 0.0;
}

double atom(const Distribution& distribution, double x) {
  const Distribution& d = distribution;
  if (d.kind == DistributionKind::kFixed) return x == quantile(d, 0.5) ? 1.0 : 0.0;
  if (d.kind != DistributionKind::kNormal) return 0.0;
  if (x == d.min) return lower_tail(standardised(d, d.min));
  if (x == d.max) return lower_tail(-standardised(d, d.max));
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

}  // namespace graspmap
