#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/hold/hold.hpp"

namespace graspmap {

/// What became of a trial.
enum class Outcome : std::uint8_t { kSuccess, kWedged, kMissed, kTimeout, kBlocked, kFailed };
inline constexpr std::size_t kOutcomeCount = 6;
inline constexpr std::array<Outcome, kOutcomeCount> kOutcomes = {
    Outcome::kSuccess, Outcome::kWedged,  Outcome::kMissed,
    Outcome::kTimeout, Outcome::kBlocked, Outcome::kFailed};

/// The lower-case word for an outcome in tables and files: "success", "wedged", ...
const char* name(Outcome outcome);
/// What it means, in words.
const char* meaning(Outcome outcome);

/// The outcome of a finished simulation with this final pose of P in G:
///   failed / blocked        as the simulation ended;
///   missed                  when the jaws closed, or one jaw or none touches;
///   success                 when an alternative of the success rule holds;
///   wedged                  when the jaws stopped with both on the part; else timeout.
/// The success rule comes before "one jaw or none", after "closed". `hold_factor`: what a rule may
/// ask for.
Outcome classify(const SimulationResult& result, const Pose2& final_pose,
                 const std::vector<SuccessAlternative>& success,
                 double hold_factor = kMostHoldFactor);

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

/// The state at the end of a trial, without velocities.
State end_state(const Scenario& scenario, const TrialRow& row);

/// The safety factor with which the part stays in the hand in the manoeuvre of [hold]
/// (sim/hold/hold.hpp); `scenario` is the trial's own. NaN when it could not be found, and without
/// [hold].
double hold_factor_of(const SweepConfig& config, const Scenario& scenario, const TrialRow& row);

/// What `hold_factor_of` is where a rule of success asks for it; else kMostHoldFactor.
double asked_hold_factor(const SweepConfig& config, const Scenario& scenario, const TrialRow& row);

/// The row of a finished simulation of `scenario`, the configuration's or the trial's own (index
/// and cell are left at 0). A trial whose success depends on a hold factor that could not be found
/// has failed.
TrialRow trial_row(const SweepConfig& config, const Scenario& scenario,
                   const TrialParameters& parameters, const SimulationResult& result);

/// The scenario of a trial whose uncertain numbers have the values `uncertain`, in the order of
/// config.uncertain; without values, the configuration's. Valid until `memory` changes.
const Scenario& scenario_of(const SweepConfig& config, std::span<const double> uncertain,
                            DrawnScenario& memory);

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

/// Outcomes as statistics count them: a failed trial says nothing, each other one is a success or
/// none.

inline PairSide pair_side(Outcome outcome) {
  if (outcome == Outcome::kFailed) return PairSide::kFailed;
  return outcome == Outcome::kSuccess ? PairSide::kSuccess : PairSide::kNoSuccess;
}

inline void count_outcome(Outcome outcome, SampleCounts& counts) {
  if (outcome == Outcome::kFailed) {
    ++counts.failed;
    return;
  }
  ++counts.trials;
  counts.successes += outcome == Outcome::kSuccess ? 1 : 0;
}

/// The fields of a trial row, with the names that they have in all files. The store, the digest,
/// trials.csv, trials.npz and the JSON of a trial have their fields from here. visit(name, field)
/// gets std::int64_t, double or Outcome, const when the row is.

inline constexpr std::array<const char*, kRungCount> kStepsByRungNames = {
    "steps_warm", "steps_cold", "steps_damped", "steps_pattern", "steps_halved"};

/// What was drawn for a trial.
template <typename Parameters, typename Visit>
void visit_trial_parameters(Parameters&& parameters, Visit&& visit) {
  visit("x_mm", parameters.placement_x_mm);
  visit("y_mm", parameters.placement_y_mm);
  visit("theta_rad", parameters.theta_rad);
  visit("mu_jaw", parameters.mu_jaw);
  visit("mu_support", parameters.mu_support);
}

/// How a trial ended.
template <typename Row, typename Visit>
void visit_trial_end(Row&& row, Visit&& visit) {
  visit("outcome", row.outcome);
  visit("end_time_s", row.end_time_s);
  visit("part_x_mm", row.final_pose.position_mm.x());
  visit("part_y_mm", row.final_pose.position_mm.y());
  visit("part_theta_rad", row.final_pose.angle_rad);
  visit("jaw_right_x_mm", row.jaw_right_mm);
  visit("jaw_left_x_mm", row.jaw_left_mm);
}

/// What was drawn for a trial, how it ended, and the solver's work, in the order of the files.
template <typename Row, typename Visit>
void visit_trial_values(Row&& row, Visit&& visit) {
  visit_trial_parameters(row.parameters, visit);
  visit_trial_end(row, visit);
  visit("steps", row.statistics.steps);
  visit("newton_iterations", row.statistics.newton_iterations);
  for (std::size_t k = 0; k < kRungCount; ++k) {
    visit(kStepsByRungNames[k], row.statistics.by_rung[k]);
  }
  visit("worst_residual", row.statistics.worst_residual);
  visit("worst_gap_mm", row.statistics.worst_gap_mm);
  visit("least_dissipation_mn_mm", row.statistics.least_dissipation);
}

/// The same for all fields of a record: index, cell_x and cell_y (int) come first. cell_theta is
/// not among them: it follows from the index.
template <typename Row, typename Visit>
void visit_trial_fields(Row&& row, Visit&& visit) {
  visit("index", row.index);
  visit("cell_x", row.cell_x);
  visit("cell_y", row.cell_y);
  visit_trial_values(row, visit);
}

/// The same for all columns of trials.csv and trials.npz after `index`; cells are int.
template <typename Visit>
void visit_trial_columns(const TrialRow& row, Visit&& visit) {
  visit("cell_x", row.cell_x);
  visit("cell_y", row.cell_y);
  visit("cell_theta", row.cell_theta);
  visit_trial_values(row, visit);
}

/// Appends a field as CSV files have it: numbers as they are, a number that is not known (not
/// finite) as nothing, outcomes by their names.
void append_csv_value(std::string& text, double value);
void append_csv_value(std::string& text, std::int64_t value);
inline void append_csv_value(std::string& text, int value) {
  append_csv_value(text, std::int64_t{value});
}
void append_csv_value(std::string& text, Outcome outcome);

/// The scenario with its part scaled about P's origin by a factor > 0: a plate of the same
/// thickness and density, so that its mass goes with factor^2 and its inertia with factor^4. What
/// it rests on is scaled with it: e_r, the tripod's radius, points, and the lengths of limit
/// surfaces.
Scenario with_part_scaled(Scenario scenario, double factor);

}  // namespace graspmap
