#include "grasp/decide/statistics/unpaired_difference.hpp"

#include <limits>
#include <vector>

#include "grasp/base/probability/stratified.hpp"

namespace graspmap {
namespace {

Stratum stratum(double weight, std::int64_t successes, const SampleCounts& counts) {
  return {weight, static_cast<double>(successes), static_cast<double>(counts.trials),
          static_cast<double>(counts.failed)};
}

double estimate(std::span<const UnpairedStratum> strata) {
  double sum = 0;
  double weight = 0;
  for (const UnpairedStratum& s : strata) {
    if (s.a.trials == 0 || s.b.trials == 0) continue;
    sum += s.weight * (s.a.probability() - s.b.probability());
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

}  // namespace graspmap
