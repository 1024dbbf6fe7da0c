#include "grasp/sweep/store/store_schema.hpp"

#include <fmt/format.h>

#include <array>

#include "grasp/base/process/version.hpp"
#include "grasp/sweep/store/engine_table.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/store_sessions.hpp"
#include "grasp/sweep/store/stored_run.hpp"
#include "grasp/sweep/store/trial_columns.hpp"
#include "grasp/sweep/store/uncertain_table.hpp"
#include "grasp/sweep/trials/outcome.hpp"

namespace graspmap {
namespace {

/// What marks a database as ours (PRAGMA application_id): the letters "grmp".
constexpr std::int64_t kApplicationId = 0x67726d70;

/// Large pages: the rows are many, small, and read in their order.
constexpr int kPageBytes = 16384;

struct StoreTable {
  const char* name;
  std::string columns;
};

const std::array<StoreTable, 5>& tables() {
  static const std::array<StoreTable, 5> kTables = {{
      {"run",
       "name TEXT, config_toml TEXT, config_digest TEXT, seed INTEGER, shard_index INTEGER, "
       "shard_count INTEGER, created_version TEXT, created_git_commit TEXT, created_utc TEXT"},
      {"sessions",
       "session INTEGER PRIMARY KEY, version TEXT, git_commit TEXT, host TEXT, started_utc TEXT, "
       "processes INTEGER, threads INTEGER, trials INTEGER, wall_s REAL, probe TEXT"},
      {"blocks",
       "first_trial INTEGER PRIMARY KEY, trials INTEGER, session INTEGER REFERENCES sessions, "
       "digest TEXT"},
      {"outcomes", "outcome INTEGER PRIMARY KEY, name TEXT"},
      {"trials", trial_column_definitions()},
  }};
  return kTables;
}

/// A table's definition in the words in which SQLite keeps it.
std::string create_statement(const StoreTable& table) {
  return fmt::format("CREATE TABLE {} ({})", table.name, table.columns);
}

/// The trials as people want to see them. Cells as cell_of_trial has them. graspmap itself does not
/// read the view: stores made before cell_theta have one without it.
std::string create_view_statement(const PlacementSweep& placement) {
  return fmt::format(
      "CREATE VIEW trial_table AS SELECT trial, trial % {0} % {1} AS cell_x, trial % {0} / {1} % "
      "{2} "
      "AS cell_y, trial % {0} / {1} / {2} AS cell_theta, {3} FROM trials JOIN outcomes USING "
      "(outcome)",
      placement.cell_count(), placement.x_mm.cells, placement.y_mm.cells, view_columns());
}

void insert_outcomes(const sqlite::Database& database) {
  sqlite::Statement insert(database, "INSERT INTO outcomes VALUES (?, ?)");
  for (const Outcome outcome : kOutcomes) {
    insert.bind_integer(static_cast<std::int64_t>(outcome));
    insert.bind_text(name(outcome));
    insert.run();
  }
}

void check_version(const sqlite::Database& database) {
  const std::int64_t found = database.integer("PRAGMA user_version");
  if (found == RunStore::kFormatVersion) return;
  const char* remedy = found > RunStore::kFormatVersion
                           ? "use a newer graspmap"
                           : "use the graspmap that wrote it, or simulate the sweep again";
  throw ConfigError(fmt::format("{}: has format version {}, and graspmap {} reads version {}; {}",
                                database.file().string(), found, version(),
                                RunStore::kFormatVersion, remedy));
}

/// Throws when a table is not there or not as we make it.
void check_table(const sqlite::Database& database, const StoreTable& table) {
  sqlite::Statement query(database,
                          "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
  query.bind_text(table.name);
  if (!query.step()) {
    throw sqlite::damaged(database.file(), fmt::format("it has no table {}", table.name));
  }
  if (query.next_text() != create_statement(table)) {
    throw sqlite::damaged(database.file(), fmt::format("table {} has other columns", table.name));
  }
}

}  // namespace

void create_store_tables(const sqlite::Database& database, const SweepConfig& config, Shard shard,
                         int engine) {
  database.execute(fmt::format("PRAGMA page_size = {}", kPageBytes));
  sqlite::Transaction transaction(database);
  database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.execute(fmt::format("PRAGMA user_version = {}", RunStore::kFormatVersion));
  for (const StoreTable& table : tables()) database.execute(create_statement(table));
  create_uncertain_table(database, config);
  create_session_digests(database);
  create_engine_table(database, engine);
  database.execute(create_view_statement(config.placement));
  insert_outcomes(database);
  insert_run(database, config, shard);
  transaction.commit();
}

void check_store_tables(const sqlite::Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    throw ConfigError(fmt::format(
        "{}: is no run store (but another SQLite database); give the run.sqlite of a run",
        database.file().string()));
  }
  check_version(database);
  for (const StoreTable& table : tables()) check_table(database, table);
}

}  // namespace graspmap
