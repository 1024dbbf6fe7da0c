#include "grasp/base/probability/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grasp/base/probability/count_distribution.hpp"

namespace graspmap {
namespace {

/// Tables as probable as this one count although they are computed with other rounding.
constexpr double kAsProbable = 1 + 1e-7;

double p_value(const SampleCounts& a, const SampleCounts& b) {
  const auto tables =
      CountDistribution::hypergeometric(a.successes + b.successes, a.trials, a.trials + b.trials);
  const double most = tables.probability(a.successes) * kAsProbable;
  double sum = 0;
  for (std::int64_t k = tables.first(); k <= tables.last(); ++k) {
    const double p = tables.probability(k);
    if (p <= most) sum += p;
  }
  return std::clamp(sum, std::numeric_limits<double>::min(), 1.0);
}

/// O ln(O / E), where E = trials x share of `count` in all.
double term(std::int64_t count, std::int64_t trials, std::int64_t alike, std::int64_t all) {
  if (count == 0) return 0.0;
  const double expected =
      static_cast<double>(trials) * static_cast<double>(alike) / static_cast<double>(all);
  return static_cast<double>(count) * std::log(static_cast<double>(count) / expected);
}

}  // namespace

SampleCounts decided(const SampleCounts& counts, FailedTrials failed) {
  const std::int64_t more = failed == FailedTrials::kSuccess ? counts.failed : 0;
  return {counts.successes + more, counts.trials + counts.failed, 0};
}

double fisher_exact_p_value(const SampleCounts& a, const SampleCounts& b) {
  if (a.trials + a.failed == 0 || b.trials + b.failed == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double most = 0;
  for (const FailedTrials of_a : {FailedTrials::kNoSuccess, FailedTrials::kSuccess}) {
    for (const FailedTrials of_b : {FailedTrials::kNoSuccess, FailedTrials::kSuccess}) {
      if (of_a != of_b && a.failed * b.failed == 0) continue;  // the same as another pair
      most = std::max(most, p_value(decided(a, of_a), decided(b, of_b)));
    }
  }
  return most;
}

Interval newcombe_interval(const Estimate& a, const Estimate& b) {
  const double difference = a.value - b.value;
  const double below = std::hypot(a.value - a.interval.low, b.interval.high - b.value);
  const double above = std::hypot(a.interval.high - a.value, b.value - b.interval.low);
  return {std::max(difference - below, -1.0), std::min(difference + above, 1.0)};
}

double two_sample_deviance(const SampleCounts& a, const SampleCounts& b) {
  const std::int64_t all = a.trials + b.trials;
  const std::int64_t successes = a.successes + b.successes;
  const std::int64_t others = all - successes;
  const double half = term(a.successes, a.trials, successes, all) +
                      term(b.successes, b.trials, successes, all) +
                      term(a.trials - a.successes, a.trials, others, all) +
                      term(b.trials - b.successes, b.trials, others, all);
  return 2 * std::max(half, 0.0);
}

}  // namespace graspmap
