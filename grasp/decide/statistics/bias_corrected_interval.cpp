#include "grasp/decide/statistics/bias_corrected_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/probability/sample_quantile.hpp"

namespace graspmap {

Interval bias_corrected_interval(double estimate, std::vector<double> replicates,
                                 double confidence) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty() || std::isnan(estimate)) return {kNaN, kNaN};
  const double low = sample_quantile(replicates, (1 - confidence) / 2);
  const double high = sample_quantile(std::move(replicates), (1 + confidence) / 2);
  return {std::min(low, 2 * estimate - high), std::max(high, 2 * estimate - low)};
}

}  // namespace graspmap
