#include "grasp/statistics/unpaired_difference.hpp"

#include <algorithm>
#include <boost/math/distributions/hypergeometric.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "grasp/statistics/stratified.hpp"

namespace graspmap {
namespace {

Stratum stratum(double weight, std::int64_t successes, const TrialCounts& counts) {
  return {weight, static_cast<double>(successes), static_cast<double>(counts.trials),
          static_cast<double>(counts.failed)};
}

double probability(const TrialCounts& counts) {
  return static_cast<double>(counts.successes) / static_cast<double>(counts.trials);
}

double estimate(std::span<const UnpairedStratum> strata) {
  double sum = 0;
  double weight = 0;
  for (const UnpairedStratum& s : strata) {
    if (s.a.trials == 0 || s.b.trials == 0) continue;
    sum += s.weight * (probability(s.a) - probability(s.b));
    weight += s.weight;
  }
  return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

/// P_A - P_B = 2 Q - 1, where Q is the mean of P_A and of 1 - P_B: the success probability of a
/// population of twice as many strata, half of which count the trials of B that do not succeed.
Difference unpaired_difference(std::span<const UnpairedStratum> strata, double z) {
  std::vector<Stratum> halves;
  for (const UnpairedStratum& s : strata) {
    halves.push_back(stratum(s.weight / 2, s.a.successes, s.a));
    halves.push_back(stratum(s.weight / 2, s.b.trials - s.b.successes, s.b));
  }
  const Interval q = stratified_probability(halves, z).interval;
  return {estimate(strata), {2 * q.low - 1, 2 * q.high - 1}};
}

double fisher_p_value(const TrialCounts& a, const TrialCounts& b) {
  const std::int64_t successes = a.successes + b.successes;
  const std::int64_t all = a.trials + b.trials;
  if (a.trials == 0 || b.trials == 0 || successes == 0 || successes == all) return 1.0;
  const boost::math::hypergeometric_distribution<double> tables(static_cast<unsigned>(successes),
                                                                static_cast<unsigned>(a.trials),
                                                                static_cast<unsigned>(all));
  // Tables as probable as this one count although they are computed with other rounding.
  const double most = boost::math::pdf(tables, a.successes) * (1 + 1e-7);
  double sum = 0;
  const std::int64_t last = std::min(successes, a.trials);
  for (std::int64_t k = std::max<std::int64_t>(0, successes - b.trials); k <= last; ++k) {
    const double p = boost::math::pdf(tables, k);
    if (p <= most) sum += p;
  }
  return std::min(sum, 1.0);
}

}  // namespace graspmap
