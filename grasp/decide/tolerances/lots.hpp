#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"

namespace graspmap {

/// Whether a distribution of the configuration has a part that all parts of a lot share
/// (Distribution::lot_sigma).
bool has_lots(const SweepConfig& config);

/// What is asked about lots at a placement.
struct LotQuestion {
  AimAndRobot aim;
  std::optional<double> required;  ///< probability of success
  double confidence = 0.95;
  std::int64_t lots = 200;
  std::int64_t parts = 200;  ///< simulated of each lot
};

/// Simulates the parts of each lot of a question at the placement. Ended early by the thread's stop
/// flag it throws AnalysisStopped. `show` gets the share that is done; it may be empty.
std::vector<SampleCounts> simulate_lots(const SweepConfig& config, const LotQuestion& question,
                                        std::uint64_t seed, int threads,
                                        const std::function<void(double)>& show = {});

/// The next part and the next lot.
struct LotSuccess {
  LotQuestion question;
  Estimate part;           ///< success of the next part: the mean over all lots
  double lot_sigma = 0.0;  ///< of the lots' success probabilities, without the parts' chance
  Estimate median;         ///< of the lots' success probabilities
  Estimate fifth_percentile;
  std::optional<Estimate> reaching;  ///< the share of lots that reach what is required
};

/// What simulated lots show. With X_j successes of n_j parts the shares X_j / n_j vary by s^2; of
/// that mean(p_j (1 - p_j) / (n_j - 1)) is the chance of the parts. What is left, not below 0, is
/// the variance between lots (method of moments; Searle, Casella, McCulloch 1992, "Variance
/// Components"). For quantiles and shares of lots each share is moved towards the mean, so that
/// they vary by that much. Intervals: normal from s for the mean, order statistics for quantiles,
/// Wilson's for the share of lots.
LotSuccess lot_success(const std::vector<SampleCounts>& lots, const LotQuestion& question);

/// For a person: the next part, the next lot.
std::string lots_text(const LotSuccess& lots);
/// The fields of an object in a JSON document.
Object lots_fields(const LotSuccess& lots);

}  // namespace graspmap
