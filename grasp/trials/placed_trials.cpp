#include "grasp/trials/placed_trials.hpp"

namespace graspmap {

std::vector<Outcome> simulate_trials(const SweepConfig& config,
                                     std::span<const TrialParameters> trials,
                                     const SweepControl& control) {
  std::vector<Outcome> outcomes(trials.size(), Outcome::kFailed);
  const std::int64_t ended =
      run_trials(static_cast<std::int64_t>(trials.size()), control,
                 [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                   const auto k = static_cast<std::size_t>(index);
                   outcomes[k] = run_trial(config, trials[k], workspace, result).outcome;
                   return outcomes[k];
                 });
  outcomes.resize(static_cast<std::size_t>(ended));
  return outcomes;
}

}  // namespace graspmap
