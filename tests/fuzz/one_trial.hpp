#pragma once

#include "grasp/sweep/trials/trial.hpp"

namespace graspmap::fuzz {

/// Simulates a trial for some steps, where that takes a moment: an accepted configuration must not
/// throw.
void try_one_trial(const SweepConfig& config);
/// The same with given parameters.
void try_one_trial(SweepConfig config, const TrialParameters& parameters);

}  // namespace graspmap::fuzz
