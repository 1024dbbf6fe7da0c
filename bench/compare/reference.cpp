#include "bench/compare/reference.hpp"

#include <algorithm>

#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap::bench {
namespace {

constexpr std::int64_t kRunsPerTrial = 1 + kDisturbances.size();

}  // namespace

TrialParameters disturbed(TrialParameters trial, const Disturbance& disturbance) {
  trial.placement_x_mm += disturbance.x_mm;
  trial.placement_y_mm += disturbance.y_mm;
  trial.mu_jaw = std::max(trial.mu_jaw + disturbance.mu_jaw, 0.0);
  trial.mu_support = std::max(trial.mu_support + disturbance.mu_support, 0.0);
  return trial;
}

bool ReferenceTrial::robust() const {
  return end.outcome != Outcome::kFailed &&
         std::all_of(disturbed.begin(), disturbed.end(),
                     [&](const TrialEnd& other) { return other.outcome == end.outcome; });
}

int changed_outcomes(const std::vector<ReferenceTrial>& reference, std::size_t disturbance) {
  return static_cast<int>(
      std::count_if(reference.begin(), reference.end(), [&](const ReferenceTrial& trial) {
        return trial.disturbed[disturbance].outcome != trial.end.outcome;
      }));
}

std::int64_t reference_runs(int trials) { return kRunsPerTrial * trials; }

std::optional<std::vector<ReferenceTrial>> run_reference(const SweepConfig& config, int trials,
                                                         double step_s,
                                                         const SweepControl& control) {
  std::vector<ReferenceTrial> reference(static_cast<std::size_t>(trials));
  for (std::size_t k = 0; k < reference.size(); ++k) {
    reference[k].parameters = sample_trial(config, static_cast<std::int64_t>(k)).parameters;
  }
  // A run is a trial as it is, or under a disturbance.
  const auto run = [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
    ReferenceTrial& trial = reference[static_cast<std::size_t>(index / kRunsPerTrial)];
    const auto which = static_cast<std::size_t>(index % kRunsPerTrial);
    const Disturbance disturbance = which == 0 ? Disturbance{""} : kDisturbances[which - 1];
    Scenario scenario = config.scenario;
    scenario.tolerance_mm = 0.0;
    scenario.order = 1;
    scenario.step_s = step_s * disturbance.step_factor;
    simulate(scenario, disturbed(trial.parameters, disturbance), workspace, result);
    TrialEnd& end = which == 0 ? trial.end : trial.disturbed[which - 1];
    end = trial_end(config, result);
    return end.outcome;
  };
  const std::int64_t runs = reference_runs(trials);
  if (run_trials(runs, control, run) < runs) return std::nullopt;
  return reference;
}

}  // namespace graspmap::bench
