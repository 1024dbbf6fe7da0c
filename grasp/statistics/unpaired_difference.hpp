#pragma once

#include <cstdint>
#include <span>

#include "grasp/statistics/difference.hpp"

namespace graspmap {

/// Trials of one design.
struct TrialCounts {
  std::int64_t successes = 0;
  std::int64_t trials = 0;  ///< without the failed ones
  std::int64_t failed = 0;
};

/// A part of a population in which A and B have independent trials.
struct UnpairedStratum {
  double weight = 0.0;  ///< its share of the population, >= 0
  TrialCounts a;
  TrialCounts b;
};

/// The difference of a population from its strata, whose weights must not sum to more than 1.
///
/// Estimate: sum w_k (p_A,k - p_B,k) over the strata in which both have trials. Interval: the score
/// interval of a linear combination of binomial proportions, as `stratified_probability`; for one
/// stratum it is that of Mee (1984, "Confidence bounds for the difference between two
/// probabilities"). Failed trials count once as no successes of A and successes of B, once the
/// other way.
Difference unpaired_difference(std::span<const UnpairedStratum> strata, double z = kZ95);

/// Fisher's exact two-sided p-value of "A and B are equally good": the probability, given the
/// margins of the table, of all tables that are not more probable than the one at hand. 1 without
/// trials. Failed trials are not counted.
double fisher_p_value(const TrialCounts& a, const TrialCounts& b);

}  // namespace graspmap
