#include "grasp/base/probability/proportions.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/assert.hpp"

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

Interval SampleCounts::interval(double z) const {
  const std::int64_t all = trials + failed;
  return {wilson_interval(successes, all, z).low, wilson_interval(successes + failed, all, z).high};
}

namespace {

double log_beta(double a, double b) {
  using boost::math::lgamma;
  return lgamma(a) + lgamma(b) - lgamma(a + b);
}

/// count * log(p), 0 for no count even where p is 0.
double weighted_log(double count, double p) { return count > 0 ? count * std::log(p) : 0.0; }

/// log M_n(p) + log(1 - 0.95): below 0 inside the interval. It falls up to s / n, then rises.
struct Excess {
  double successes;
  double others;
  double level;

  double operator()(double p) const {
    return level - weighted_log(successes, p) - weighted_log(others, 1 - p);
  }
};

/// Where the excess changes its sign between `outside` and `inside`; the end that lies outside.
double border(const Excess& excess, double outside, double inside) {
  constexpr int kBits = 50;
  const auto [a, b] =
      boost::math::tools::bisect(excess, std::min(outside, inside), std::max(outside, inside),
                                 boost::math::tools::eps_tolerance<double>(kBits));
  return outside < inside ? a : b;
}

}  // namespace

Interval anytime_interval(std::int64_t successes, std::int64_t trials) {
  if (trials <= 0) return {0.0, 1.0};
  const auto s = static_cast<double>(successes);
  const auto f = static_cast<double>(trials - successes);
  const double level = log_beta(s + 0.5, f + 0.5) - log_beta(0.5, 0.5) + std::log1p(-0.95);
  const Excess excess{s, f, level};
  const double best = s / (s + f);
  return {successes == 0 ? 0.0 : border(excess, 0.0, best),
          successes == trials ? 1.0 : border(excess, 1.0, best)};
}

Interval anytime_interval(const SampleCounts& counts) {
  const std::int64_t all = counts.trials + counts.failed;
  return {anytime_interval(counts.successes, all).low,
          anytime_interval(counts.successes + counts.failed, all).high};
}

/// Fills the table from the likeliest count outwards; ratio(k) = P(k + 1) / P(k).
template <typename Ratio>
void CountDistribution::fill(std::int64_t low, std::int64_t mode, std::int64_t high, double at_mode,
                             const Ratio& ratio) {
  const double least = at_mode * 1e-300;
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
  GRASPMAP_CHECK(trials >= 0);
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
  GRASPMAP_CHECK(marked >= 0 && marked <= all && sample >= 0 && sample <= all);
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
  // By rounding the sum may end below u.
  return std::min(first_ + (found - cumulative_.begin()), last());
}

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

double binomial_deviance(double successes, double expected, double trials) {
  const auto part = [](double o, double e) { return o > 0 ? o * std::log(o / e) : 0.0; };
  return 2 * (part(successes, expected) + part(trials - successes, trials - expected));
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
