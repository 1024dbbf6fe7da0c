#include "grasp/base/probability/stratified.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "grasp/base/probability/largest_accepted.hpp"

namespace graspmap {
namespace {

/// A stratum whose every trial counts.
struct StratumSample {
  double weight;
  double successes;
  double trials;
};

enum class FailedAre { kNoSuccess, kSuccess };

/// The strata with trials, their failed trials counted as told.
std::vector<StratumSample> samples(std::span<const Stratum> strata, FailedAre failed) {
  std::vector<StratumSample> list;
  for (const Stratum& s : strata) {
    const double trials = s.trials + s.failed;
    if (!(trials > 0) || !(s.weight > 0)) continue;
    const double more = failed == FailedAre::kSuccess ? s.failed : 0.0;
    list.push_back({s.weight, s.successes + more, trials});
  }
  return list;
}

double mean(const std::vector<StratumSample>& list) {
  double sum = 0;
  for (const StratumSample& s : list) sum += s.weight * s.successes / s.trials;
  return sum;
}

/// The probability that maximises s log q + (n - s) log(1 - q) - lambda w q, lambda >= 0: the root
/// in [0, 1] of  lambda w q^2 - (n + lambda w) q + s = 0.
double constrained_probability(const StratumSample& s, double lambda) {
  const double pull = lambda * s.weight;
  const double b = s.trials + pull;
  const double root = std::sqrt(std::max(b * b - 4 * pull * s.successes, 0.0));
  return std::min(2 * s.successes / (b + root), 1.0);
}

/// Whether the P0 that belongs to lambda is rejected: it lies more than z deviations below `best`.
bool is_rejected(const std::vector<StratumSample>& list, double best, double z, double lambda) {
  double p0 = 0;
  double variance = 0;
  for (const StratumSample& s : list) {
    const double q = constrained_probability(s, lambda);
    p0 += s.weight * q;
    variance += s.weight * s.weight * q * (1 - q) / s.trials;
  }
  // Where all trials of all strata came out alike, both sides are rounding.
  constexpr double kRounding = 1e-13;
  return best - p0 > kRounding && (best - p0) * (best - p0) > z * z * variance;
}

double mean_at(const std::vector<StratumSample>& list, double lambda) {
  double sum = 0;
  for (const StratumSample& s : list) sum += s.weight * constrained_probability(s, lambda);
  return sum;
}

/// The lowest P0 that is not rejected. P0 falls as lambda grows.
double lower_end(const std::vector<StratumSample>& list, double z) {
  const double best = mean(list);
  if (best <= 0) return 0.0;
  const auto rejected = [&](double lambda) { return is_rejected(list, best, z, lambda); };
  return mean_at(list, largest_accepted(rejected, 1e-14));
}

/// The same samples with success and no success exchanged.
std::vector<StratumSample> mirrored(std::vector<StratumSample> list) {
  for (StratumSample& s : list) s.successes = s.trials - s.successes;
  return list;
}

double sum_of_weights(const std::vector<StratumSample>& list) {
  double sum = 0;
  for (const StratumSample& s : list) sum += s.weight;
  return sum;
}

/// Kish 1965: (sum w)^2 / sum w^2, each trial of a stratum having the weight w_k/n_k.
double effective_trials(const std::vector<StratumSample>& list) {
  double squares = 0;
  for (const StratumSample& s : list) squares += s.weight * s.weight / s.trials;
  const double weight = sum_of_weights(list);
  return squares > 0 ? weight * weight / squares : 0.0;
}

/// The mean over the strata that have trials other than failed ones.
double estimate(std::span<const Stratum> strata) {
  double sum = 0;
  double weight = 0;
  for (const Stratum& s : strata) {
    if (!(s.trials > 0) || !(s.weight > 0)) continue;
    sum += s.weight * s.successes / s.trials;
    weight += s.weight;
  }
  return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
}

/// The weighted mean of strata with their failed trials counted as told, and its moments.
struct SpreadMean {
  double mean = 0.0;
  double variance = 0.0;
  double third = 0.0;
  double fourth = 0.0;

  /// The end of the interval that lies below (sign -1) or above (1).
  [[nodiscard]] double end(double z, int sign) const {
    if (!(variance > 0)) return mean;
    const double shift = z * z * third / variance / 2;
    const double scale = 1 + z * z * fourth / (variance * variance);
    return mean + (shift + sign * std::sqrt(z * z * variance * scale + shift * shift)) / scale;
  }
};

/// For the lower end failed trials are no successes, and a stratum without any success cannot be
/// worse than it looks; for the upper end the other way round. Such strata do not vary.
SpreadMean spread_mean(std::span<const Stratum> strata, std::span<const StratumSpread> spreads,
                       FailedAre failed) {
  constexpr double kRounding = 1e-12;
  SpreadMean result;
  for (std::size_t k = 0; k < strata.size(); ++k) {
    const Stratum& s = strata[k];
    const double n = s.trials + s.failed;
    if (!(n > 0) || !(s.weight > 0)) continue;
    const bool is_upper = failed == FailedAre::kSuccess;
    const double successes = s.successes + (is_upper ? s.failed : 0.0);
    result.mean += s.weight * successes / n;
    const double room = is_upper ? n - successes : successes;
    if (room <= kRounding * n) continue;
    result.variance += s.weight * s.weight * spreads[k].variance / n;
    result.third += std::pow(s.weight, 3) * spreads[k].third / (n * n);
    result.fourth += std::pow(s.weight, 4) * std::pow(spreads[k].variance, 2) / (n * n * n);
  }
  return result;
}

}  // namespace

StratifiedProbability stratified_probability(std::span<const Stratum> strata, double z) {
  const std::vector<StratumSample> pessimistic = samples(strata, FailedAre::kNoSuccess);
  const std::vector<StratumSample> optimistic = samples(strata, FailedAre::kSuccess);
  StratifiedProbability result;
  result.estimate = estimate(strata);
  result.known_weight = sum_of_weights(pessimistic);
  result.effective_trials = effective_trials(pessimistic);
  result.interval.low = std::clamp(lower_end(pessimistic, z), 0.0, 1.0);
  // 1 - P of the known part from below; weight without trials may all succeed.
  result.interval.high = std::clamp(1.0 - lower_end(mirrored(optimistic), z), 0.0, 1.0);
  return result;
}

Interval spread_interval(std::span<const Stratum> strata, std::span<const StratumSpread> spreads,
                         double z) {
  if (strata.size() < 2) return stratified_probability(strata, z).interval;
  const double known = sum_of_weights(samples(strata, FailedAre::kNoSuccess));
  const double low = spread_mean(strata, spreads, FailedAre::kNoSuccess).end(z, -1);
  const double high = spread_mean(strata, spreads, FailedAre::kSuccess).end(z, 1);
  return {std::clamp(low, 0.0, 1.0), std::clamp(std::min(high, known) + 1 - known, 0.0, 1.0)};
}

}  // namespace graspmap
