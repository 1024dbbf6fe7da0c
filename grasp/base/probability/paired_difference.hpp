#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "grasp/base/probability/difference.hpp"

namespace graspmap {

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

/// The difference of a population from its strata, whose weights must not sum to more than 1.
///
/// Estimate: sum w_k d_k with d_k = (only_a - only_b) / n_k. Interval: Tango's score interval
/// (1998, "Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design"), extended from one stratum to several as Martin Andres, Alvarez Hernandez
/// and Herranz Tejedor (2011) do for independent proportions: all D0 with
///   (estimate - D0)^2 <= z^2 sum w_k^2 (a_k + b_k - (a_k - b_k)^2) / n_k,
/// a and b being the maximum-likelihood probabilities of `only_a` and `only_b` among those with
/// sum w_k (a_k - b_k) = D0. Its lower end is that of PairTable::lowest(), its upper end that of
/// highest().
Difference paired_difference(std::span<const PairedStratum> strata, double z = kZ95);

/// McNemar's exact two-sided p-value of "A and B are equally good": 2 P(X <= min(only_a, only_b)),
/// at most 1, X binomial with only_a + only_b trials of probability 1/2. 1 when no pair differs.
double mcnemar_p_value(std::int64_t only_a, std::int64_t only_b);

/// How many times as many independent trials would tell the difference as exactly as the pairs do:
///   sum w_k^2 (pA_k (1 - pA_k) + pB_k (1 - pB_k)) / n_k
///     over sum w_k^2 (a_k + b_k - (a_k - b_k)^2) / n_k,
/// the ratio of the estimates' variances. Infinite when no variance is left with pairs; NaN when
/// there is none without them either. Failed trials are left out.
double pairing_gain(std::span<const PairedStratum> strata);

}  // namespace graspmap
