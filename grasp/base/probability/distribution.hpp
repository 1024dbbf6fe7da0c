#pragma once

#include <limits>
#include <vector>

namespace graspmap {

enum class DistributionKind {
  kFixed,
  kUniform,
  kNormal,
  kTruncatedNormal,
  kLognormal,
  kTriangular,
  kDiscrete,
  kHistogram
};

/// Inputs that are checked at their ends are drawn from u in [kLeastLevel, 1 - kLeastLevel].
inline constexpr double kLeastLevel = 1e-9;

/// A one-dimensional random input, in the unit of the quantity it describes.
struct Distribution {
  DistributionKind kind = DistributionKind::kFixed;
  double mean = 0.0;   ///< fixed: the value; normal, truncated normal and lognormal: the mean
                       ///< without bounds; lognormal: > 0
  double sigma = 0.0;  ///< the standard deviation that belongs to this mean, > 0
  double min = -std::numeric_limits<double>::infinity();  ///< lower bound of every draw
  double max = std::numeric_limits<double>::infinity();   ///< upper bound of every draw
  double mode = 0.0;                                      ///< triangular: the most probable value
  /// Normal: the part of sigma that all parts of a lot have in common, 0 <= lot_sigma <= sigma.
  double lot_sigma = 0.0;
  std::vector<double> values = {};   ///< ascending: the values of a discrete law, or the edges of a
                                     ///< histogram's bins, one more than bins
  std::vector<double> weights = {};  ///< the probability of each value or bin; they sum to 1
};

/// The draw that belongs to u in (0, 1): the quantile function at u. Uniform: on [min, max].
/// Normal and lognormal: clamped to [min, max] (draws beyond a bound become the bound). Truncated
/// normal: renormalised on [min, max] (draws beyond a bound are redistributed inside). Histogram:
/// uniform in each bin. Monotone in u.
double quantile(const Distribution& distribution, double u);

/// The probability density at x, per unit of the quantity: of what is not an atom. 0 outside of the
/// bounds, and everywhere for a fixed distribution.
double density(const Distribution& distribution, double x);

/// The probability that a draw is exactly x: 1 at a fixed value, what a normal or lognormal moves
/// onto its bounds, the weight of a discrete value, 0 elsewhere.
double atom(const Distribution& distribution, double x);

/// The probability of a draw <= x.
double cumulative(const Distribution& distribution, double x);

/// The mean of the draws.
double mean_of_law(const Distribution& law);

/// The variance of the draws.
double variance_of_law(const Distribution& law);

/// The z with Phi(z) = p of the standard normal, 0 < p < 1; relatively exact for p << 1.
double normal_score(double p);

/// Phi(z), the standard normal's distribution function; relatively exact for z << 0.
double normal_cumulative(double z);

/// The value of a sample at rank round(share * (n - 1)), 0 <= share <= 1; NaN without values.
double sample_quantile(std::vector<double> values, double share);

/// The law of measured values: a histogram of bins of the same width from the least value to the
/// largest one; a fixed number where all are the same. `bins` 0: as many as the rule of Freedman
/// and Diaconis (1981) gives, of the width 2 IQR / n^(1/3) at least, where half of the values are
/// the same of Sturges (1926), 1 + log2(n); at most 100.
Distribution histogram_of(std::vector<double> values, int bins);

/// A law with `factor` times the width, factor > 0, about its centre. A law that has a sigma has
/// `factor` times that, lot_sigma too; its mean and its bounds stay. In any other law each value
/// is `factor` times as far from the mean.
Distribution narrowed_law(const Distribution& law, double factor);

}  // namespace graspmap
