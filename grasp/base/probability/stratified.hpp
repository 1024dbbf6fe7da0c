#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grasp/base/probability/proportions.hpp"

namespace graspmap {

/// A part of a population in which the success probability p is estimated by itself.
struct Stratum {
  double weight = 0.0;     ///< its share of the population, >= 0
  double successes = 0.0;  ///< counts, or effective ones of weighted trials; <= trials
  double trials = 0.0;
  double failed = 0.0;  ///< further trials that say nothing
};

/// P = sum_k weight_k p_k, estimated from trials.
struct StratifiedProbability {
  double estimate = 0.0;      ///< of the part of the population that has trials; NaN when none has
  Interval interval;          ///< of P; weight without trials counts once as 0, once as 1
  double known_weight = 0.0;  ///< the share of the population that has trials
  double effective_trials = 0.0;  ///< simple random trials of the same precision
};

/// The probability of a population from its strata; their weights must not sum to more than 1, and
/// what is missing to 1 is weight without trials.
///
/// Estimate: sum w_k s_k/n_k. Interval: the score interval of a linear combination of binomial
/// proportions (Martin Andres, Alvarez Hernandez, Herranz Tejedor 2011, "Inferences about a linear
/// combination of proportions"; for one stratum it is Wilson's): all P0 with
///   (estimate - P0)^2 <= z^2 sum w_k^2 q_k (1 - q_k) / n_k,
/// q the maximum-likelihood probabilities among those with sum w_k q_k = P0. It neither collapses
/// where all trials succeed nor reaches beyond [0, 1]. Strata of fewer than 8 trials count as one:
/// each by itself would hardly vary under the likeliest q. Failed trials count once as successes,
/// once as no successes.
StratifiedProbability stratified_probability(std::span<const Stratum> strata, double z = kZ95);

/// How the outcome of one trial of a stratum varies, as far as it is believed.
struct StratumSpread {
  double variance = 0.0;  ///< p (1 - p)
  double third = 0.0;     ///< p (1 - p) (1 - 2 p), the third central moment
};

/// That of a known p.
inline StratumSpread spread_at(double p) { return {p * (1 - p), p * (1 - p) * (1 - 2 * p)}; }

/// The interval of P when more is believed of each stratum than its own trials say (each has a
/// spread). The interval of stratified_probability supposes the worst: that all strata whose trials
/// all came out alike may have been lucky at once. Here V = sum w_k^2 v_k / n_k is the variance of
/// the estimate e, and as P moves away from e, V moves with it, along the direction that is the
/// likeliest (each p_k by w_k v_k / n_k over V), to second order:
///   V(P) = V + c (P - e) - g (P - e)^2,  c = sum w_k^3 third_k / n_k^2 / V,
///   g = sum w_k^4 v_k^2 / n_k^3 / V^2.
/// The interval holds all P with (e - P)^2 <= z^2 V(P); strata of nothing but successes do not vary
/// at the upper end, strata of none not at the lower one. With v = p (1 - p) and third of the
/// observed proportion it is Wilson's for one stratum (and for one stratum it always is). Failed
/// trials and weight without trials count as in stratified_probability.
Interval spread_interval(std::span<const Stratum> strata, std::span<const StratumSpread> spreads,
                         double z = kZ95);

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

/// Pairs of trials, one of A and one of B, by which of them succeed.
struct PairCounts {
  std::int64_t both = 0;
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::int64_t neither = 0;

  [[nodiscard]] std::int64_t pairs() const { return both + only_a + only_b + neither; }
  /// (only_a - only_b) / pairs; NaN without pairs.
  [[nodiscard]] double difference() const;

  friend bool operator==(const PairCounts&, const PairCounts&) = default;
};

/// What is known of one trial of a pair.
enum class PairSide { kSuccess, kNoSuccess, kFailed };

/// Pairs of trials of which some failed: those say neither success nor no success.
class PairTable {
 public:
  void add(PairSide a, PairSide b) { ++counts_[index(a)][index(b)]; }

  /// The pairs of which neither failed.
  [[nodiscard]] PairCounts decided() const;
  /// All pairs; failed trials of A are taken as no successes, those of B as successes.
  [[nodiscard]] PairCounts lowest() const;
  /// All pairs; failed trials of A are taken as successes, those of B as no successes.
  [[nodiscard]] PairCounts highest() const;
  [[nodiscard]] std::int64_t failed() const { return lowest().pairs() - decided().pairs(); }

  PairTable& operator+=(const PairTable& other);

 private:
  static std::size_t index(PairSide side) { return static_cast<std::size_t>(side); }
  [[nodiscard]] std::int64_t at(PairSide a, PairSide b) const {
    return counts_[index(a)][index(b)];
  }
  [[nodiscard]] PairCounts with_failed(PairSide a, PairSide b) const;

  std::array<std::array<std::int64_t, 3>, 3> counts_{};  ///< of A, of B
};

/// A part of a population in which pairs are drawn by themselves.
struct PairedStratum {
  double weight = 0.0;  ///< its share of the population, >= 0
  PairTable pairs;
};

/// The difference P_A - P_B of a population from its strata, whose weights must not sum to more
/// than 1: NaN without trials; weight without them counts in the interval once as -1, once as 1.
///
/// Estimate: sum w_k d_k with d_k = (only_a - only_b) / n_k. Interval: Tango's score interval
/// (1998, "Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design"), extended from one stratum to several as Martin Andres, Alvarez Hernandez
/// and Herranz Tejedor (2011) do for independent proportions: all D0 with
///   (estimate - D0)^2 <= z^2 sum w_k^2 (a_k + b_k - (a_k - b_k)^2) / n_k,
/// a and b being the maximum-likelihood probabilities of `only_a` and `only_b` among those with
/// sum w_k (a_k - b_k) = D0. Its lower end is that of PairTable::lowest(), its upper end that of
/// highest().
Estimate paired_difference(std::span<const PairedStratum> strata, double z = kZ95);

/// McNemar's exact two-sided p-value of "A and B are equally good": 2 P(X <= min(only_a, only_b)),
/// at most 1, X binomial with only_a + only_b trials of probability 1/2. 1 when no pair differs.
double mcnemar_p_value(std::int64_t only_a, std::int64_t only_b);

/// How many times as many independent trials would give the difference as exactly as the pairs do:
///   sum w_k^2 (pA_k (1 - pA_k) + pB_k (1 - pB_k)) / n_k
///     over sum w_k^2 (a_k + b_k - (a_k - b_k)^2) / n_k,
/// the ratio of the estimates' variances. Infinite when no variance is left with pairs; NaN when
/// none is left without them either. Failed trials are left out.
double pairing_gain(std::span<const PairedStratum> strata);

}  // namespace graspmap
