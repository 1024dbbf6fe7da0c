#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/csv.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

/// The result of a trial from a file of trials.
struct GivenTrialResult {
  TrialRow row;
  std::vector<int> left_touches;
  std::vector<int> right_touches;
  std::vector<int> palm_touches;
  std::vector<std::vector<int>> obstacle_touches;
  std::vector<double> computed;  ///< ComputedColumns
};

/// The trials of a table with the columns x_mm,y_mm,theta_rad,mu_jaw,mu_support in any order and
/// perhaps others. Throws ConfigError naming file, line and column: a missing column, a word for a
/// number, a negative friction, a column with the name of a result of the configuration's trials.
std::vector<TrialParameters> given_trials(const CsvTable& table, const SweepConfig& config);

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
/// (names of features, separated by ";"), palm_touches and NAME_touches where there are a palm and
/// obstacles, and with a program ComputedColumns.
std::string given_trials_csv(const CsvTable& table, const std::vector<GivenTrialResult>& results,
                             const SweepConfig& config);

/// A stored trial that was run again.
struct Reproduction {
  TrialStory story;                          ///< the trial as it runs now
  std::vector<FieldDifference> differences;  ///< first: stored, second: now

  /// True when every field of the row came out the same, to the last bit.
  [[nodiscard]] bool is_exact() const { return differences.empty(); }
};

/// Runs a stored trial again, from the configuration and its index alone, and compares all fields
/// of its row.
Reproduction reproduce(const SweepConfig& config, const TrialRow& stored);

/// For a person: which fields of a trial differ, with both values, and by which graspmap the trial
/// was stored and run again. Of a trial that was taken over from another store, all those are named
/// that may have computed it. Throws as RunStore.
std::string difference_text(const Reproduction& reproduction, const RunStore& store);

}  // namespace graspmap
