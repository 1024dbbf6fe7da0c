#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"

namespace graspmap {

/// A cell with trials of a and of b.
struct SamplePair {
  SampleCounts a;
  SampleCounts b;
  double weight = 1.0;  ///< of the cell in means over cells
};

/// Whether a and b are the same process, over all cells together.
struct HomogeneityTest {
  std::int64_t cells = 0;              ///< in which both have trials
  std::int64_t informative_cells = 0;  ///< and in which not all trials came out alike
  double deviance = 0.0;               ///< the sum of two_sample_deviance over the cells
  double p_value = 1.0;                ///< of "the same process": 1 / (replicates + 1) at least
  std::int64_t replicates = 0;         ///< simulated tables
  double mean_difference = 0.0;        ///< weighted mean of |p_a - p_b| over the cells
  double mean_by_chance = 0.0;  ///< its expectation if both are the same process, given the totals
};

/// A conditional Monte Carlo test (Agresti 1992, "A survey of exact inference for contingency
/// tables"): given each cell's totals, the successes of b are hypergeometric if both are the same
/// process, whatever its probabilities are. `replicates` sets of such tables are drawn; the p-value
/// is the share, counting the observed one, of those whose deviance is not smaller. Cells in which
/// all trials came out alike say nothing. Failed trials count once as successes, once as no
/// successes; the test with the larger p-value is returned. Random numbers: uniform_open(seed,
/// replicate, cell).
HomogeneityTest homogeneity_test(std::span<const SamplePair> cells, std::int64_t replicates,
                                 std::uint64_t seed);

/// A part of a population with these trials.
Stratum stratum_of(double weight, const SampleCounts& counts);

/// A part of a population in which A and B have independent trials.
struct UnpairedStratum {
  double weight = 0.0;  ///< its share of the population, >= 0
  SampleCounts a;
  SampleCounts b;
};

/// The difference P_A - P_B of a population from its strata, whose weights must not sum to more
/// than 1.
///
/// Estimate: sum w_k (p_A,k - p_B,k) over the strata in which both have trials. Interval: the score
/// interval of a linear combination of binomial proportions, as `stratified_probability`; for one
/// stratum it is that of Mee (1984, "Confidence bounds for the difference between two
/// probabilities"). Failed trials count once as no successes of A and successes of B, once the
/// other way.
Estimate unpaired_difference(std::span<const UnpairedStratum> strata, double z = kZ95);

/// The p-values adjusted for their number by Benjamini and Hochberg (1995, "Controlling the false
/// discovery rate"): those at most q reject with a false discovery rate of at most q. With the
/// p-values in ascending order, adjusted_k = min over j >= k of min(1, m p_j / j). NaN (no test)
/// stays NaN and does not count.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace graspmap
