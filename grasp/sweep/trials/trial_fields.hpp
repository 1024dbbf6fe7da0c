#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

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

}  // namespace graspmap
