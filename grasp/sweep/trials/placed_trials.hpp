#pragma once

#include <span>
#include <vector>

#include "grasp/sweep/trials/sweep.hpp"

/// Trials with parameters that somebody chose (sample_at draws them for a placement), in place of
/// those of a sweep's cells.

namespace graspmap {

/// Simulates trials with given parameters on several threads. `uncertain` has the values of
/// config.uncertain of each trial, one trial after the other; without them all trials have the
/// nominal ones. Outcome k is that of trial k; when the control's stop flag ends it early, there
/// are outcomes of the first trials only.
std::vector<Outcome> simulate_trials(const SweepConfig& config,
                                     std::span<const TrialParameters> trials,
                                     const SweepControl& control = {},
                                     std::span<const double> uncertain = {});

}  // namespace graspmap
