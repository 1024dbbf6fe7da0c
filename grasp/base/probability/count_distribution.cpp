#include "grasp/base/probability/count_distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <cmath>

namespace graspmap {
namespace {

constexpr double kLeastShareOfMode = 1e-300;

}  // namespace

/// Fills the table from the likeliest count outwards; ratio(k) = P(k + 1) / P(k).
template <typename Ratio>
void CountDistribution::fill(std::int64_t low, std::int64_t mode, std::int64_t high, double at_mode,
                             const Ratio& ratio) {
  const double least = at_mode * kLeastShareOfMode;
  double p = at_mode;
  for (std::int64_t k = mode; k >= low && p > least; --k) {
    probabilities_.push_back(p);
    if (k > low) p /= ratio(k - 1);
  }
  first_ = mode - static_cast<std::int64_t>(probabilities_.size()) + 1;
  std::reverse(probabilities_.begin(), probabilities_.end());
  p = at_mode;
  for (std::int64_t k = mode; k < high; ++k) {
    p *= ratio(k);
    if (!(p > least)) break;
    probabilities_.push_back(p);
  }
  double sum = 0;
  for (const double probability : probabilities_) cumulative_.push_back(sum += probability);
}

CountDistribution CountDistribution::binomial(std::int64_t trials, double probability) {
  CountDistribution table;
  const auto n = static_cast<double>(trials);
  if (probability <= 0 || probability >= 1) {
    const std::int64_t only = probability <= 0 ? 0 : trials;
    table.fill(only, only, only, 1.0, [](std::int64_t) { return 0.0; });
    return table;
  }
  const auto mode = std::min(static_cast<std::int64_t>((n + 1) * probability), trials);
  const boost::math::binomial_distribution<double> exact(n, probability);
  const double odds = probability / (1 - probability);
  table.fill(0, mode, trials, boost::math::pdf(exact, static_cast<double>(mode)),
             [&](std::int64_t k) {
               return static_cast<double>(trials - k) / static_cast<double>(k + 1) * odds;
             });
  return table;
}

CountDistribution CountDistribution::hypergeometric(std::int64_t marked, std::int64_t sample,
                                                    std::int64_t all) {
  const std::int64_t low = std::max<std::int64_t>(0, sample + marked - all);
  const std::int64_t high = std::min(marked, sample);
  const double share = (static_cast<double>(marked) + 1) / (static_cast<double>(all) + 2);
  const auto mode =
      std::clamp(static_cast<std::int64_t>((static_cast<double>(sample) + 1) * share), low, high);
  const boost::math::hypergeometric_distribution<double> exact(
      static_cast<unsigned>(marked), static_cast<unsigned>(sample), static_cast<unsigned>(all));
  CountDistribution table;
  table.fill(
      low, mode, high, boost::math::pdf(exact, static_cast<unsigned>(mode)), [&](std::int64_t k) {
        return static_cast<double>(marked - k) * static_cast<double>(sample - k) /
               (static_cast<double>(k + 1) * static_cast<double>(all - marked - sample + k + 1));
      });
  return table;
}

double CountDistribution::probability(std::int64_t count) const {
  if (count < first_ || count > last()) return 0.0;
  return probabilities_[static_cast<std::size_t>(count - first_)];
}

std::int64_t CountDistribution::quantile(double u) const {
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), u);
  return std::min(first_ + (found - cumulative_.begin()), last());
}

}  // namespace graspmap
