#pragma once

#include <cstdint>
#include <optional>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/trials/uncertain_columns.hpp"

/// The table `uncertain` of run.sqlite: the values of uncertain numbers in each trial, a column for
/// each number, named by its key. For other programs: graspmap draws them again. Stores of sweeps
/// without uncertain numbers have no such table.

namespace graspmap {

/// Makes the table, where the configuration has uncertain numbers.
void create_uncertain_table(const sqlite::Database& database, const SweepConfig& config);

/// Adds rows to the table, where the store has it.
class UncertainInserter {
 public:
  UncertainInserter(const sqlite::Database& database, const SweepConfig& config);
  /// Adds the values in trial `index`.
  void insert(std::int64_t index);

 private:
  UncertainColumns columns_;
  std::optional<sqlite::Statement> statement_;
};

}  // namespace graspmap
