#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// What the statistics of a run need of a trial.
struct TrialSample {
  std::size_t cell = 0;  ///< its place in SuccessMap::cells
  Outcome outcome = Outcome::kFailed;
  IntendedPlacement intended;
  TrialParameters parameters;          ///< with the noise
  std::vector<double> uncertain = {};  ///< the values of config.uncertain
};

/// False when each trial ran at the placement that was intended.
bool has_placement_noise(const PlacementSweep& placement);

/// Calls `visit` with the sample of every stored trial in the order of the index; keeps none in
/// memory.
void for_each_trial_sample(const RunStore& store,
                           const std::function<void(const TrialSample&)>& visit);

/// The samples of all stored trials, in the order of the index: 104 bytes each, and 8 for each
/// uncertain number.
std::vector<TrialSample> read_trial_samples(const RunStore& store);

}  // namespace graspmap
