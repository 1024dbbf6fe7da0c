#include "grasp/base/probability/interval.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace graspmap {

double two_sided_z(double confidence) {
  return std::numbers::sqrt2 * boost::math::erf_inv(confidence);
}

/// Wilson 1927: with p = s/n, the interval is
///   (p + z^2/(2n) -+ z sqrt(p (1-p)/n + z^2/(4n^2))) / (1 + z^2/n).
Interval weighted_wilson_interval(double successes, double trials, double z) {
  if (!(trials > 0)) return {0.0, 1.0};
  const double p = successes / trials;
  const double z2_n = z * z / trials;
  const double center = p + z2_n / 2;
  const double half = z * std::sqrt(std::max(p * (1 - p), 0.0) / trials + z2_n / (4 * trials));
  // At the ends the formula gives 0 and 1 up to rounding; exactly is what one expects to read.
  const double low = successes <= 0 ? 0.0 : (center - half) / (1 + z2_n);
  const double high = successes >= trials ? 1.0 : (center + half) / (1 + z2_n);
  return {std::max(low, 0.0), std::min(high, 1.0)};
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z) {
  return weighted_wilson_interval(static_cast<double>(successes), static_cast<double>(trials), z);
}

Interval wilson_interval_with_failed(std::int64_t successes, std::int64_t trials,
                                     std::int64_t failed, double z) {
  const std::int64_t all = trials + failed;
  return {wilson_interval(successes, all, z).low, wilson_interval(successes + failed, all, z).high};
}

}  // namespace graspmap
