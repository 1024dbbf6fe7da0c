#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"

namespace graspmap {

/// The experiment's trials whose predicted success probability lies in one of ten equal bins.
struct ProbabilityBin {
  double predicted = 0.0;  ///< mean over these trials
  Estimate observed;       ///< share of successes, with Wilson's interval
  std::int64_t trials = 0;
};

/// The bins with trials.
std::vector<ProbabilityBin> probability_bins(std::span<const PredictedSite> sites,
                                             double confidence);

}  // namespace graspmap
