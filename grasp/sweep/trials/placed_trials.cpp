#include "grasp/sweep/trials/placed_trials.hpp"

namespace graspmap {

std::vector<Outcome> simulate_trials(const SweepConfig& config,
                                     std::span<const TrialParameters> trials,
                                     const SweepControl& control,
                                     std::span<const double> uncertain) {
  const std::size_t numbers = uncertain.empty() ? 0 : config.uncertain.size();
  std::vector<Outcome> outcomes(trials.size(), Outcome::kFailed);
  const std::int64_t ended =
      run_trials(static_cast<std::int64_t>(trials.size()), control,
                 [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                   const auto k = static_cast<std::size_t>(index);
                   const auto values = uncertain.subspan(k * numbers, numbers);
                   outcomes[k] = run_trial(config, trials[k], values, workspace, result).outcome;
                   return outcomes[k];
                 });
  outcomes.resize(static_cast<std::size_t>(ended));
  return outcomes;
}

}  // namespace graspmap
