#include "grasp/decide/sensitivity/simulated_sets.hpp"

#include "grasp/base/process/stop.hpp"

namespace graspmap {

std::vector<Outcome> simulate_sets(std::size_t sets, const SetsEffort& effort,
                                   const TrialOfSet& trial) {
  const std::int64_t count = effort.trials * static_cast<std::int64_t>(sets);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(count), Outcome::kFailed);
  TrialCounters counters;
  const auto progress = shown(effort.show, counters, count);
  run_trials(count, {effort.threads, stop_flag(), &counters},
             [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
               const auto k = static_cast<std::size_t>(index);
               outcomes[k] = trial(k % sets, k / sets, workspace, result);
               return outcomes[k];
             });
  check_stop();
  return outcomes;
}

}  // namespace graspmap
