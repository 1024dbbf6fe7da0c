#pragma once

#include <cstdint>
#include <span>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/outcome.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

/// One row of the trial table.
struct TrialRow {
  std::int64_t index = 0;
  int cell_x = 0;
  int cell_y = 0;
  int cell_theta = 0;  ///< in no record: it follows from index and configuration
  TrialParameters parameters;
  Outcome outcome = Outcome::kFailed;
  double end_time_s = 0.0;
  Pose2 final_pose;  ///< of P in G
  double jaw_right_mm = 0.0;
  double jaw_left_mm = 0.0;
  StepStatistics statistics;

  [[nodiscard]] CellIndex cell() const { return {cell_x, cell_y, cell_theta}; }
  void set_cell(const CellIndex& cell) {
    cell_x = cell.x;
    cell_y = cell.y;
    cell_theta = cell.theta;
  }
};

/// The row of a finished simulation of `scenario`, the configuration's or the trial's own (index
/// and cell are left at 0).
TrialRow trial_row(const SweepConfig& config, const Scenario& scenario,
                   const TrialParameters& parameters, const SimulationResult& result);

/// The scenario of a trial whose uncertain numbers have the values `uncertain`, in the order of
/// config.uncertain; without values, the configuration's. Valid until `memory` changes.
const Scenario& scenario_of(const SweepConfig& config, std::span<const double> uncertain,
                            Scenario& memory);

/// Runs one trial with given parameters (index and cell of the row are 0) and given values of
/// config.uncertain: one each, or none for the nominal ones. `workspace` and `result` are one
/// thread's memory.
TrialRow run_trial(const SweepConfig& config, const TrialParameters& parameters,
                   std::span<const double> uncertain, Workspace& workspace,
                   SimulationResult& result);
inline TrialRow run_trial(const SweepConfig& config, const TrialParameters& parameters,
                          Workspace& workspace, SimulationResult& result) {
  return run_trial(config, parameters, {}, workspace, result);
}

/// Runs trial `index` of a sweep: a pure function of config and index. `workspace` and `result` are
/// one thread's memory.
TrialRow run_trial(const SweepConfig& config, std::int64_t index, Workspace& workspace,
                   SimulationResult& result);

}  // namespace graspmap
