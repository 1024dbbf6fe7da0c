#include "grasp/sweep/trials/probe.hpp"

#include <algorithm>

#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

std::string probe_digest(const SweepConfig& config) {
  constexpr std::int64_t kTrials = 8;
  Workspace workspace;
  SimulationResult result;
  TrialDigest digest;
  // As many as every run of the sweep has, however many trials there are in a cell.
  const std::int64_t trials = std::min<std::int64_t>(kTrials, config.placement.cell_count());
  for (std::int64_t i = 0; i < trials; ++i) digest.add(run_trial(config, i, workspace, result));
  return digest.hex();
}

}  // namespace graspmap
