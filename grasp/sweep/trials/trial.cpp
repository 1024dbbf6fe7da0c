#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

const Scenario& scenario_of(const SweepConfig& config, std::span<const double> uncertain,
                            Scenario& memory) {
  if (uncertain.empty()) return config.scenario;
  set_uncertain_numbers(config.scenario, config.uncertain, uncertain, memory);
  return memory;
}

TrialRow run_trial(const SweepConfig& config, const TrialParameters& parameters,
                   std::span<const double> uncertain, Workspace& workspace,
                   SimulationResult& result) {
  const Scenario& scenario = scenario_of(config, uncertain, workspace.scenario_memory());
  simulate(scenario, parameters, workspace, result);
  return trial_row(config, scenario, parameters, result);
}

TrialRow run_trial(const SweepConfig& config, std::int64_t index, Workspace& workspace,
                   SimulationResult& result) {
  const SampledTrial trial = sample_trial(config, index);
  TrialRow row = run_trial(config, trial.parameters, trial.uncertain, workspace, result);
  row.index = index;
  row.set_cell(trial.cell());
  return row;
}

TrialRow trial_row(const SweepConfig& config, const Scenario& scenario,
                   const TrialParameters& parameters, const SimulationResult& result) {
  TrialRow row;
  row.parameters = parameters;
  row.final_pose = part_pose_in_gripper(scenario, result.final_state);
  row.outcome = classify(result, row.final_pose, config.success);
  row.end_time_s = result.end_time_s;
  row.jaw_right_mm = result.final_state.jaw_right_mm;
  row.jaw_left_mm = result.final_state.jaw_left_mm;
  row.statistics = result.statistics;
  return row;
}

}  // namespace graspmap
