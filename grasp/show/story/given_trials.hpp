#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/csv.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// The result of a trial from a file of trials.
struct GivenTrialResult {
  TrialRow row;
  std::vector<int> left_touches;
  std::vector<int> right_touches;
  std::vector<int> palm_touches;
};

/// The trials of a table with the columns x_mm,y_mm,theta_rad,mu_jaw,mu_support in any order and
/// perhaps others. Throws ConfigError naming file, line and column: a missing column, a word for a
/// number, a negative friction, a column with the name of a result of the gripper's trials.
std::vector<TrialParameters> given_trials(const CsvTable& table, const Gripper& gripper);

/// The values of config.uncertain in each trial of the table: those of the columns that are named
/// by the numbers' keys, the nominal ones where there is no such column. Nothing when the table has
/// none of these columns. Throws ConfigError naming file, line and column.
std::vector<std::vector<double>> given_uncertain(const CsvTable& table, const SweepConfig& config);

/// Runs given trials on several threads, with values of uncertain numbers of their own or with the
/// nominal ones. Returns the results in the order of the trials; fewer when
/// it was stopped.
std::vector<GivenTrialResult> run_given_trials(
    const SweepConfig& config, const std::vector<TrialParameters>& trials,
    const SweepControl& control, const std::vector<std::vector<double>>& uncertain = {});

/// The table as CSV, unchanged, with the results appended to each row: outcome,end_time_s,
/// part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,jaw_left_x_mm,left_touches,right_touches
/// (names of features, separated by ';'), and palm_touches where the gripper has a palm.
std::string given_trials_csv(const CsvTable& table, const std::vector<GivenTrialResult>& results,
                             const Scenario& scenario);

}  // namespace graspmap
