#pragma once

#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/decide/tolerances/width_sample.hpp"

namespace graspmap {

/// Simulates the grasps of a sample at a placement on several threads. `seed` is the sample's:
/// samples of different seeds are independent of each other and of the trials of a run. Ended early
/// by the thread's stop flag it throws AnalysisStopped. `config` must outlive the function.
SimulateWidths simulated_widths(const SweepConfig& config, const AimAndRobot& aim,
                                std::uint64_t seed, int threads);

}  // namespace graspmap
