#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap::testing {

/// Raises `largest` to `value`, and to infinity where that is not a number: std::max(largest, nan)
/// is `largest`, and a check of what remains would pass.
inline void keep_largest(double& largest, double value) {
  largest = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::max(largest, value);
}

/// The same for the smallest value.
inline void keep_smallest(double& smallest, double value) {
  smallest =
      std::isnan(value) ? -std::numeric_limits<double>::infinity() : std::min(smallest, value);
}

}  // namespace graspmap::testing
