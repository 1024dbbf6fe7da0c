#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

/// The columns of the table `trials` of run.sqlite. A row's cell is not stored: it follows from the
/// index.

namespace graspmap {

/// What stands between the parentheses of CREATE TABLE trials (...).
std::string trial_column_definitions();

/// The columns after trial and cell as the view trial_table shows them: the outcome by its name.
std::string view_columns();

/// Adds rows to the table.
class TrialInserter {
 public:
  explicit TrialInserter(const sqlite::Database& database);
  void insert(const TrialRow& row);

 private:
  sqlite::Statement statement_;
};

/// The rows of a range of trials, in the order of the index. `placement` gives their cells.
/// Throws ConfigError when one is not there.
std::vector<TrialRow> select_trials(const sqlite::Database& database,
                                    const PlacementSweep& placement, TrialRange range);

}  // namespace graspmap
