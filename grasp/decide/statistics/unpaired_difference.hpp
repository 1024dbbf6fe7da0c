#pragma once

#include <span>

#include "grasp/base/probability/difference.hpp"
#include "grasp/base/probability/two_samples.hpp"

namespace graspmap {

/// A part of a population in which A and B have independent trials.
struct UnpairedStratum {
  double weight = 0.0;  ///< its share of the population, >= 0
  SampleCounts a;
  SampleCounts b;
};

/// The difference of a population from its strata, whose weights must not sum to more than 1.
///
/// Estimate: sum w_k (p_A,k - p_B,k) over the strata in which both have trials. Interval: the score
/// interval of a linear combination of binomial proportions, as `stratified_probability`; for one
/// stratum it is that of Mee (1984, "Confidence bounds for the difference between two
/// probabilities"). Failed trials count once as no successes of A and successes of B, once the
/// other way.
Difference unpaired_difference(std::span<const UnpairedStratum> strata, double z = kZ95);

}  // namespace graspmap
