#pragma once

#include <cmath>

namespace graspmap {

/// The largest lambda > 0 that is not rejected, where is_rejected(lambda) is false up to there and
/// true from there on: bisection of log lambda, to the relative `tolerance`. Ends of confidence
/// intervals are hypotheses that lambda numbers.
template <typename F>
double largest_accepted(const F& is_rejected, double tolerance) {
  double high = 1.0;
  while (!is_rejected(high) && high < 1e300) high *= 4;
  double low = high / 4;
  while (is_rejected(low) && low > 1e-300) low /= 4;
  constexpr int kMostHalvings = 60;
  for (int k = 0; k < kMostHalvings && high > low * (1 + tolerance); ++k) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    (is_rejected(middle) ? high : low) = middle;
  }
  return low;
}

}  // namespace graspmap
