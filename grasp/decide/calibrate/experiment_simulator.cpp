#include "grasp/decide/calibrate/experiment_simulator.hpp"

#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/trials/part_size.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

constexpr std::uint64_t kUncertainSeed = 13;

TrialParameters parameters_of(const CalibrationTrial& trial) {
  TrialParameters parameters;
  parameters.placement_x_mm = trial.x_mm;
  parameters.placement_y_mm = trial.y_mm;
  parameters.theta_rad = trial.theta_rad;
  parameters.mu_jaw = trial.mu_jaw;
  parameters.mu_support = trial.mu_support;
  return parameters;
}

/// Uncertain numbers have the laws of the configuration; what is sought scales the part that they
/// make.
Outcome simulate_one(const SweepConfig& config, const CalibrationTrial& trial, Workspace& workspace,
                     SimulationResult& result) {
  std::vector<double> uncertain = sample_uncertain(config, kUncertainSeed, trial.index);
  for (const auto& [place, value] : trial.numbers) uncertain[place] = value;
  if (trial.size == 1 && trial.support_scale == 1) {
    return run_trial(config, parameters_of(trial), uncertain, workspace, result).outcome;
  }
  SweepConfig other = config;
  Scenario drawn;
  other.scenario =
      scaled_scenario(scenario_of(config, uncertain, drawn), trial.support_scale, trial.size);
  return run_trial(other, parameters_of(trial), workspace, result).outcome;
}

}  // namespace

double support_radius_mm(const Scenario& scenario) {
  if (const auto* e = std::get_if<EllipsoidSupport>(&scenario.support)) return e->e_r_mm;
  if (const auto* t = std::get_if<TripodSupport>(&scenario.support)) return t->radius_mm;
  return 0;
}

const char* support_radius_name(const Scenario& scenario) {
  return std::holds_alternative<TripodSupport>(scenario.support) ? "radius" : "e_r";
}

Scenario scaled_scenario(const Scenario& scenario, double support_scale, double size) {
  Scenario other = size == 1 ? scenario : with_part_scaled(scenario, size);
  if (auto* e = std::get_if<EllipsoidSupport>(&other.support)) e->e_r_mm *= support_scale;
  if (auto* t = std::get_if<TripodSupport>(&other.support)) t->radius_mm *= support_scale;
  return other;
}

TrialSimulator simulator_of(const SweepConfig& config, int threads, const ShowTrials& show) {
  return [&config, threads, show](std::span<const CalibrationTrial> trials) {
    std::vector<Outcome> outcomes(trials.size(), Outcome::kFailed);
    TrialCounters counters;
    const auto count = static_cast<std::int64_t>(trials.size());
    const auto progress = shown(show, counters, count);
    run_trials(count, {threads, stop_flag(), &counters},
               [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                 const auto k = static_cast<std::size_t>(index);
                 return outcomes[k] = simulate_one(config, trials[k], workspace, result);
               });
    check_stop();
    return outcomes;
  };
}

ForEachIndex on_all_threads(int threads) {
  return [threads](std::size_t count, const std::function<void(std::size_t)>& work) {
    run_trials(static_cast<std::int64_t>(count), {threads, stop_flag()},
               [&](std::int64_t index, Workspace&, SimulationResult&) {
                 work(static_cast<std::size_t>(index));
                 return Outcome::kSuccess;
               });
    check_stop();
  };
}

}  // namespace graspmap
