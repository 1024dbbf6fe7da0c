#pragma once

#include <cstdint>
#include <vector>

#include "grasp/base/probability/difference.hpp"
#include "grasp/base/probability/two_samples.hpp"
#include "grasp/decide/sensitivity/random_inputs.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"

namespace graspmap {

/// The success of simulated trials.
struct SimulatedSuccess {
  SampleCounts counts;
  Interval interval;  ///< Wilson's; failed trials count once as successes, once as no successes
};

/// What one law half as wide would do.
struct HalvedInput {
  SimulatedSuccess success;
  Difference gain;  ///< success with the halved law less success as it is, in pairs of trials
};

/// The value of tightening: success with one law after the other half as wide.
struct HalvedInputs {
  std::int64_t trials = 0;  ///< of each input, and as it is
  SimulatedSuccess as_it_is;
  std::vector<HalvedInput> inputs;  ///< as RandomInputs::varying()
};

/// Simulates trials whose inputs have the laws of `inputs` (RandomInputs of the configuration's
/// map, or around an aim), then with one law after the other half as wide about its centre
/// (narrowed_law). All have the same random numbers, which no sweep of the configuration has.
HalvedInputs simulate_halved_inputs(const SweepConfig& config, const RandomInputs& inputs,
                                    const SetsEffort& effort);

}  // namespace graspmap
