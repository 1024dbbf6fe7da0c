#pragma once

#include <vector>

#include "grasp/base/probability/two_samples.hpp"
#include "grasp/decide/sensitivity/random_inputs.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"

namespace graspmap {

/// Total effects on success.
struct TotalEffects {
  std::vector<Estimate> inputs;  ///< as RandomInputs::varying()
  std::vector<Estimate> groups;  ///< as RandomInputs::groups()
};

/// The total effects of inputs and of groups of them by direct simulation: of `effort.trials`
/// trials, how many end otherwise when the input, or the group, alone is drawn anew. With d the
/// share of those and p the success probability the effect is d / (2 p (1 - p)), the estimator of
/// Jansen 1999 for an indicator. Inputs are taken as independent. The interval is that of d, where
/// failed trials count once as changed, once as not. Nothing where all trials end alike.
TotalEffects simulate_totals(const SweepConfig& config, const RandomInputs& inputs,
                             const SetsEffort& effort);

}  // namespace graspmap
