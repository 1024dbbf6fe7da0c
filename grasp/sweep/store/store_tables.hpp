#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_range.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// The columns of the table `trials` of run.sqlite. A row's cell is not stored: it follows from the
/// index.

/// What stands between the parentheses of CREATE TABLE trials (...).
std::string trial_column_definitions();

/// The columns after trial and cell as the view trial_table shows them: the outcome by its name.
std::string view_columns();

/// The table `uncertain` of run.sqlite: the values of uncertain numbers in each trial, a column for
/// each number, named by its key. For other programs: graspmap draws them again. Stores of sweeps
/// without uncertain numbers have no such table.

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

/// The blocks in which a store has its trials: each was added at once, and has a digest of its own.

struct StoredBlock {
  TrialRange range;
  std::string digest;  ///< TrialDigest of its rows
};

/// The trials of some blocks.
TrialRanges ranges_of(const std::vector<StoredBlock>& blocks);

/// All blocks in ascending order. Throws ConfigError when they overlap or reach out of `asked`, or
/// when there are trials that none of them lists.
std::vector<StoredBlock> list_blocks(const sqlite::Database& database, TrialRange asked);

/// The last block that begins at `index` or before. Throws ConfigError when it reaches out of
/// `asked`.
std::optional<StoredBlock> last_block_at(const sqlite::Database& database, TrialRange asked,
                                         std::int64_t index);

/// The block that has a trial; nothing when none has. Throws ConfigError when it reaches out of
/// `asked`.
std::optional<StoredBlock> block_with(const sqlite::Database& database, TrialRange asked,
                                      std::int64_t index);

/// Reads blocks.
class BlockReader {
 public:
  /// `placement`, which must live as long, gives the cells of trials.
  BlockReader(const sqlite::Database& database, const PlacementSweep& placement);
  /// The rows of a block. Throws ConfigError when they are not those that were added.
  std::vector<TrialRow> read(const StoredBlock& block);

 private:
  TrialRow next_row(std::int64_t index);

  const sqlite::Database& database_;
  const PlacementSweep& placement_;
  sqlite::Statement trials_;
};

/// Adds blocks, inside a transaction of the caller.
class BlockInserter {
 public:
  /// `process`: who adds them, or nothing.
  BlockInserter(const sqlite::Database& database, const SweepConfig& config,
                std::optional<std::int64_t> process);
  /// Adds rows with consecutive indices as a block.
  void insert(std::span<const TrialRow> rows);

 private:
  sqlite::Statement trials_;
  UncertainInserter uncertain_;
  sqlite::Statement blocks_;
  std::optional<std::int64_t> process_;
};

/// The tables of run.sqlite; docs/reference/formats.md describes them.

/// Makes the tables of a store, and fills those that say what the run is: all of it or nothing.
void create_store_tables(const sqlite::Database& database, const SweepConfig& config, Shard shard,
                         int engine);

bool has_table(const sqlite::Database& database, std::string_view name);

/// Throws ConfigError when a database is no store, is one of another format version, or lacks a
/// table. Reads no trials.
void check_store_tables(const sqlite::Database& database);

/// The table `run` of a store: its one row says what the run is.

struct StoredRun {
  SweepConfig config;
  std::string config_toml;  ///< to_toml(config)
  Shard shard;

  [[nodiscard]] TrialRange asked() const { return shard_range(config.trials(), shard); }
};

/// Throws ConfigError when the row is missing or was altered.
StoredRun read_run(const sqlite::Database& database);

/// Puts another configuration in place of the one that was there. Returns its text.
std::string replace_config(const sqlite::Database& database, const SweepConfig& config);

/// The table `engine` of a store: its one row is the number of the engine
/// (grasp/sweep/trials/trial_record.hpp) that its trials are of.

/// Stores made before there was such a table are of engine 1. Throws ConfigError for a table
/// without a number.
int read_engine(const sqlite::Database& database);

/// Throws ConfigError when the trials of a store are those of another engine: it cannot continue.
void check_engine(const RunStore& store);

/// The table `sessions` of a store: who added trials.

/// Adds a process and returns its number.
std::int64_t insert_process(const sqlite::Database& database, const StoreProcess& process);

/// Counts trials that a process has added. `wall_s` is how long it has lasted.
void count_in_process(const sqlite::Database& database, std::int64_t process, std::int64_t trials,
                      double wall_s);

/// All processes in the order of their beginning. Throws ConfigError when one is not as it was
/// stored.
std::vector<StoreProcess> list_processes(const sqlite::Database& database);

/// The process that added the block with this first trial; nothing when it was added in none.
/// Throws ConfigError when a process, or the number of trials that its blocks have, is not as it
/// was stored.
std::optional<StoreProcess> process_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial);

}  // namespace graspmap
