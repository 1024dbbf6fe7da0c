#pragma once

#include <cstdint>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/sensitivity/random_inputs.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// How trials are simulated whose sets differ in one thing each.
struct SetsEffort {
  std::int64_t trials = 0;  ///< of each set; > 0
  double confidence = 0.95;
  int threads = 0;  ///< 0: as many as the machine has
  ShowTrials show = {};
};

/// The success of simulated trials.
struct SimulatedSuccess {
  SampleCounts counts;
  Interval interval;  ///< Wilson's; failed trials count once as successes, once as no successes
};

/// What one distribution half as wide would do.
struct HalvedInput {
  SimulatedSuccess success;
  Estimate gain;  ///< success with the halved distribution less success as it is, in pairs
};

/// The value of tightening: success with one distribution after the other half as wide.
struct HalvedInputs {
  std::int64_t trials = 0;  ///< of each input, and as it is
  SimulatedSuccess as_it_is;
  std::vector<HalvedInput> inputs;  ///< as RandomInputs::varying()
};

/// Simulates trials whose inputs have the distributions of `inputs` (RandomInputs of the
/// configuration's map, or around an aim), then with one distribution after the other half as wide
/// about its centre (Distribution::widened). All have the same random numbers, which no sweep of
/// the configuration has.
HalvedInputs simulate_halved_inputs(const SweepConfig& config, const RandomInputs& inputs,
                                    const SetsEffort& effort);

/// Total effects on success.
struct TotalEffects {
  std::vector<Estimate> inputs;  ///< as RandomInputs::varying()
  std::vector<Estimate> groups;  ///< as RandomInputs::groups()
};

/// The total effects of inputs and of groups of them by direct simulation: of `effort.trials`
/// trials, how many end otherwise when the input, or the group, alone is redrawn. With d the
/// share of those and p the success probability the effect is d / (2 p (1 - p)), the estimator of
/// Jansen 1999 for an indicator. Inputs are taken as independent. The interval is that of d, where
/// failed trials count once as changed, once as not. Nothing where all trials end alike.
TotalEffects simulate_totals(const SweepConfig& config, const RandomInputs& inputs,
                             const SetsEffort& effort);

}  // namespace graspmap
