#include "grasp/base/probability/stratified.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// A stratum whose every trial counts.
struct StratumSample {
  double weight;
  double successes;
  double trials;
};

/// Fewer trials do not show how the outcomes of a stratum vary: what is likeliest then is that they
/// hardly do.
constexpr double kFewTrials = 8.0;

/// Makes one stratum of those with few trials, each of whose trials weighs as before. It varies at
/// least as much as they do. `size(stratum)` counts trials; `add(pool, stratum, factor)` adds them.
template <typename Sample, typename Size, typename Add>
void pool_few(std::vector<Sample>& list, const Size& size, const Add& add) {
  const auto has_few = [&](const Sample& s) { return size(s) < kFewTrials; };
  if (std::count_if(list.begin(), list.end(), has_few) < 2) return;
  double weight = 0;
  double squares = 0;
  for (const Sample& s : list) {
    if (!has_few(s)) continue;
    weight += s.weight;
    squares += s.weight * s.weight / size(s);
  }
  Sample pool{};
  pool.weight = weight;
  for (const Sample& s : list) {
    // Trials of the pool: Kish's (sum w)^2 / sum (w^2 / n), shared out by weight, so that its mean
    // is that of the strata.
    if (has_few(s)) add(pool, s, weight * s.weight / (squares * size(s)));
  }
  std::erase_if(list, has_few);
  list.push_back(pool);
}

/// The strata with trials, their failed trials counted as `failed` says.
std::vector<StratumSample> samples(std::span<const Stratum> strata, FailedTrials failed) {
  std::vector<StratumSample> list;
  for (const Stratum& s : strata) {
    const double trials = s.trials + s.failed;
    if (!(trials > 0) || !(s.weight > 0)) continue;
    const double more = failed == FailedTrials::kSuccess ? s.failed : 0.0;
    list.push_back({s.weight, s.successes + more, trials});
  }
  pool_few(
      list, [](const StratumSample& one) { return one.trials; },
      [](StratumSample& pool, const StratumSample& one, double factor) {
        pool.successes += factor * one.successes;
        pool.trials += factor * one.trials;
      });
  return list;
}

/// The sum of `term` over all strata.
template <typename List, typename F>
double sum_of(const List& list, const F& term) {
  double sum = 0;
  for (const auto& s : list) sum += term(s);
  return sum;
}

template <typename List>
double sum_of_weights(const List& list) {
  return sum_of(list, [](const auto& s) { return s.weight; });
}

/// The probability that maximises s log q + (n - s) log(1 - q) - lambda w q, lambda >= 0: the root
/// in [0, 1] of  lambda w q^2 - (n + lambda w) q + s = 0.
double constrained_probability(const StratumSample& s, double lambda) {
  const double pull = lambda * s.weight;
  const double b = s.trials + pull;
  const double root = std::sqrt(std::max(b * b - 4 * pull * s.successes, 0.0));
  // The smaller root; (b - root) / (2 lambda w) would cancel for a small lambda.
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

/// The lowest P0 that is not rejected. P0 falls as lambda grows.
double lower_end(const std::vector<StratumSample>& list, double z) {
  const double best =
      sum_of(list, [](const StratumSample& s) { return s.weight * s.successes / s.trials; });
  if (best <= 0) return 0.0;
  const auto rejected = [&](double lambda) { return is_rejected(list, best, z, lambda); };
  const double lambda = largest_accepted(rejected, 1e-14);
  return sum_of(list, [&](const auto& s) { return s.weight * constrained_probability(s, lambda); });
}

/// The same samples with success and no success exchanged.
std::vector<StratumSample> mirrored(std::vector<StratumSample> list) {
  for (StratumSample& s : list) s.successes = s.trials - s.successes;
  return list;
}

/// Kish 1965: (sum w)^2 / sum w^2, each trial of a stratum having the weight w_k/n_k.
double effective_trials(const std::vector<StratumSample>& list) {
  const double squares =
      sum_of(list, [](const StratumSample& s) { return s.weight * s.weight / s.trials; });
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

/// The weighted mean of strata with their failed trials counted in one way, and its moments.
struct SpreadMean {
  double mean = 0.0;
  double variance = 0.0;
  double third = 0.0;
  double fourth = 0.0;

  /// The end of the interval that lies below (sign -1) or above (1).
  [[nodiscard]] double end(double z, int sign) const {
    if (!(variance > 0)) return mean;
    // (e - P)^2 = z^2 (V + c (P - e) - g (P - e)^2), solved for P: c = third / V, g = fourth / V^2.
    const double shift = z * z * third / variance / 2;
    const double scale = 1 + z * z * fourth / (variance * variance);
    return mean + (shift + sign * std::sqrt(z * z * variance * scale + shift * shift)) / scale;
  }
};

/// For the lower end failed trials are no successes, and a stratum without any success cannot be
/// worse than it looks; for the upper end the other way round. Such strata do not vary.
SpreadMean spread_mean(std::span<const Stratum> strata, std::span<const StratumSpread> spreads,
                       FailedTrials failed) {
  constexpr double kRounding = 1e-12;
  SpreadMean result;
  for (std::size_t k = 0; k < strata.size(); ++k) {
    const Stratum& s = strata[k];
    const double n = s.trials + s.failed;
    if (!(n > 0) || !(s.weight > 0)) continue;
    const bool is_upper = failed == FailedTrials::kSuccess;
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
  const std::vector<StratumSample> pessimistic = samples(strata, FailedTrials::kNoSuccess);
  const std::vector<StratumSample> optimistic = samples(strata, FailedTrials::kSuccess);
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
  GRASPMAP_CHECK(strata.size() == spreads.size());
  if (strata.size() < 2) return stratified_probability(strata, z).interval;
  const double known = sum_of_weights(samples(strata, FailedTrials::kNoSuccess));
  const double low = spread_mean(strata, spreads, FailedTrials::kNoSuccess).end(z, -1);
  const double high = spread_mean(strata, spreads, FailedTrials::kSuccess).end(z, 1);
  return {std::clamp(low, 0.0, 1.0), std::clamp(std::min(high, known) + 1 - known, 0.0, 1.0)};
}

namespace {

/// A stratum with its pairs as numbers: those for A alone, for B alone, and the others.
struct Sample {
  double weight;
  double only_a;
  double only_b;
  double same;

  [[nodiscard]] double pairs() const { return only_a + only_b + same; }
};

Sample sample(double weight, const PairCounts& counts) {
  return {weight, static_cast<double>(counts.only_a), static_cast<double>(counts.only_b),
          static_cast<double>(counts.both + counts.neither)};
}

/// The strata that have pairs, as `read` counts them.
std::vector<Sample> samples(std::span<const PairedStratum> strata,
                            PairCounts (PairTable::*read)() const) {
  std::vector<Sample> list;
  for (const PairedStratum& s : strata) {
    const PairCounts counts = (s.pairs.*read)();
    if (counts.pairs() > 0 && s.weight > 0) list.push_back(sample(s.weight, counts));
  }
  pool_few(
      list, [](const Sample& one) { return one.pairs(); },
      [](Sample& pool, const Sample& one, double factor) {
        pool.only_a += factor * one.only_a;
        pool.only_b += factor * one.only_b;
        pool.same += factor * one.same;
      });
  return list;
}

double mean(const std::vector<Sample>& list) {
  return sum_of(list, [](const Sample& s) { return s.weight * (s.only_a - s.only_b) / s.pairs(); });
}

/// count / divisor, where no count needs no divisor.
double share(double count, double divisor) { return count > 0 ? count / divisor : 0.0; }

/// Probabilities of the two ways in which a pair can differ.
struct Discordance {
  double a;
  double b;

  [[nodiscard]] double difference() const { return a - b; }
  /// The variance of one pair's difference.
  [[nodiscard]] double variance() const { return a + b - (a - b) * (a - b); }
};

/// The probabilities that maximise the likelihood less lambda w (a - b), lambda >= 0:
///   a = only_a / (mu + t), b = only_b / (mu - t), same / mu for the rest; t = lambda w,
/// with mu >= t such that they sum to 1. Where even mu = t leaves something, that is b's: the
/// likelihood does not mind as only_b is 0 then.
Discordance constrained(const Sample& s, double lambda) {
  const double t = lambda * s.weight;
  const auto sum = [&](double mu) {
    return share(s.only_a, mu + t) + share(s.only_b, mu - t) + share(s.same, mu);
  };
  if (s.only_b == 0 && t > 0 && sum(t) <= 1) {
    return {share(s.only_a, 2 * t), 1 - sum(t)};
  }
  // At mu = t + n the sum is at most 1: no divisor is below n.
  double low = t;
  double high = t + s.pairs();
  for (int k = 0; k < 100 && high > low * (1 + 1e-15); ++k) {
    const double middle = low + (high - low) / 2;
    (sum(middle) > 1 ? low : high) = middle;
  }
  return {share(s.only_a, high + t), share(s.only_b, high - t)};
}

/// Mean and variance of the estimate where the truth is what lambda makes of it.
MeanAndVariance moments_at(const std::vector<Sample>& list, double lambda) {
  MeanAndVariance moments;
  for (const Sample& s : list) {
    const Discordance q = constrained(s, lambda);
    moments.mean += s.weight * q.difference();
    moments.variance += s.weight * s.weight * q.variance() / s.pairs();
  }
  return moments;
}

bool is_rejected(const std::vector<Sample>& list, double best, double z, double lambda) {
  const MeanAndVariance truth = moments_at(list, lambda);
  return (best - truth.mean) * (best - truth.mean) > z * z * truth.variance;
}

/// The lowest D0 that is not rejected. D0 falls as lambda grows.
double lower_end(const std::vector<Sample>& list, double z) {
  const double best = mean(list);
  const double least = -sum_of_weights(list);
  if (best <= least) return least;
  const auto rejected = [&](double lambda) { return is_rejected(list, best, z, lambda); };
  return moments_at(list, largest_accepted(rejected, 1e-12)).mean;
}

/// The same samples with A and B exchanged.
std::vector<Sample> mirrored(std::vector<Sample> list) {
  for (Sample& s : list) std::swap(s.only_a, s.only_b);
  return list;
}

/// The mean over the strata with pairs in which neither trial failed.
double estimate(const std::vector<Sample>& decided) {
  if (decided.empty()) return std::numeric_limits<double>::quiet_NaN();
  return mean(decided) / sum_of_weights(decided);
}

}  // namespace

double PairCounts::difference() const {
  if (pairs() == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(only_a - only_b) / static_cast<double>(pairs());
}

PairCounts PairTable::decided() const {
  using enum PairSide;
  return {at(kSuccess, kSuccess), at(kSuccess, kNoSuccess), at(kNoSuccess, kSuccess),
          at(kNoSuccess, kNoSuccess)};
}

/// All pairs, with a failed trial of A taken as `a`, one of B as `b`.
PairCounts PairTable::with_failed(PairSide a, PairSide b) const {
  using enum PairSide;
  PairTable table;
  for (const PairSide was_a : {kSuccess, kNoSuccess, kFailed}) {
    for (const PairSide was_b : {kSuccess, kNoSuccess, kFailed}) {
      const PairSide as_a = was_a == kFailed ? a : was_a;
      const PairSide as_b = was_b == kFailed ? b : was_b;
      table.counts_[index(as_a)][index(as_b)] += at(was_a, was_b);
    }
  }
  return table.decided();
}

PairCounts PairTable::lowest() const {
  return with_failed(PairSide::kNoSuccess, PairSide::kSuccess);
}

PairCounts PairTable::highest() const {
  return with_failed(PairSide::kSuccess, PairSide::kNoSuccess);
}

PairTable& PairTable::operator+=(const PairTable& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (std::size_t j = 0; j < counts_[i].size(); ++j) counts_[i][j] += other.counts_[i][j];
  }
  return *this;
}

Estimate paired_difference(std::span<const PairedStratum> strata, double z) {
  const std::vector<Sample> lowest = samples(strata, &PairTable::lowest);
  const std::vector<Sample> highest = samples(strata, &PairTable::highest);
  const double unknown = 1 - sum_of_weights(lowest);
  Estimate result{estimate(samples(strata, &PairTable::decided)), {-1.0, 1.0}};
  if (lowest.empty()) return result;
  result.interval.low = std::clamp(lower_end(lowest, z) - unknown, -1.0, 1.0);
  result.interval.high = std::clamp(-lower_end(mirrored(highest), z) + unknown, -1.0, 1.0);
  return result;
}

double mcnemar_p_value(std::int64_t only_a, std::int64_t only_b) {
  const std::int64_t n = only_a + only_b;
  if (n == 0) return 1.0;
  const boost::math::binomial_distribution<double> fair(static_cast<double>(n), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(fair, static_cast<double>(std::min(only_a, only_b))));
}

double pairing_gain(std::span<const PairedStratum> strata) {
  double paired = 0;
  double independent = 0;
  for (const PairedStratum& s : strata) {
    const PairCounts c = s.pairs.decided();
    if (c.pairs() == 0) continue;
    const auto n = static_cast<double>(c.pairs());
    const double a = static_cast<double>(c.only_a) / n;
    const double b = static_cast<double>(c.only_b) / n;
    const double p_a = static_cast<double>(c.both + c.only_a) / n;
    const double p_b = static_cast<double>(c.both + c.only_b) / n;
    paired += s.weight * s.weight * Discordance{a, b}.variance() / n;
    independent += s.weight * s.weight * (p_a * (1 - p_a) + p_b * (1 - p_b)) / n;
  }
  return independent / paired;
}

}  // namespace graspmap
