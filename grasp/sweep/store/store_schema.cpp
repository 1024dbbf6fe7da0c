#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/process/environment.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/store_tables.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

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

void check_version(const sqlite::Database& database) {
  const std::int64_t found = database.integer("PRAGMA user_version");
  if (found == RunStore::kFormatVersion) return;
  const char* remedy = found > RunStore::kFormatVersion
                           ? "use a newer graspmap"
                           : "use the graspmap that wrote it, or simulate the sweep again";
  throw config_error({database.file().string()}, "",
                     fmt::format("has format version {}, and graspmap {} reads version {}; {}",
                                 found, version(), RunStore::kFormatVersion, remedy));
}

/// Throws when a table is missing or was altered.
void check_table(const sqlite::Database& database, const StoreTable& table) {
  sqlite::Statement query(database,
                          "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?");
  query.bind(table.name);
  if (!query.step()) {
    throw sqlite::damaged(database.file(), fmt::format("it has no table {}", table.name));
  }
  if (query.next_text() != create_statement(table)) {
    throw sqlite::damaged(database.file(), fmt::format("table {} has other columns", table.name));
  }
}

/// Makes the table of the processes' digests unless it is there: stores of earlier versions have
/// none.
void create_process_digests(const sqlite::Database& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS session_digests (session INTEGER PRIMARY KEY REFERENCES "
      "sessions, digest TEXT)");
}

/// Another number would be as good an engine: it says by itself that it is as it was written.
std::string engine_digest(std::int64_t number) {
  return text_digest(fmt::format("engine {}", number));
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
  create_process_digests(database);
  database.execute("CREATE TABLE engine (number INTEGER, digest TEXT)");
  database.run("INSERT INTO engine VALUES (?, ?)", engine, engine_digest(engine));
  database.execute(create_view_statement(config.placement));
  for (const Outcome outcome : kOutcomes) {
    database.run("INSERT INTO outcomes VALUES (?, ?)", outcome, name(outcome));
  }
  const std::string toml = to_toml(config);
  database.run("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", config.name, toml,
               text_digest(toml), config.seed, shard.index, shard.count, version(), git_commit(),
               utc_now());
  transaction.commit();
}

bool has_table(const sqlite::Database& database, std::string_view name) {
  sqlite::Statement query(database,
                          "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  query.bind(name);
  return query.step();
}

void check_store_tables(const sqlite::Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    throw config_error(
        {database.file().string()}, "",
        "is not a run store (but another SQLite database); give the run.sqlite of a run");
  }
  check_version(database);
  for (const StoreTable& table : tables()) check_table(database, table);
}

namespace {

Shard checked_shard(const sqlite::Database& database, std::int64_t index, std::int64_t count) {
  if (index < 1 || index > count || count > std::numeric_limits<int>::max()) {
    throw sqlite::damaged(database.file(), fmt::format("it is for shard {}/{}", index, count));
  }
  return {static_cast<int>(index), static_cast<int>(count)};
}

}  // namespace

StoredRun read_run(const sqlite::Database& database) {
  sqlite::Statement query(database,
                          "SELECT config_toml, config_digest, shard_index, shard_count FROM run");
  if (!query.step()) throw sqlite::damaged(database.file(), "table run is empty");
  StoredRun run;
  run.config_toml = query.next_text();
  if (query.next_text() != text_digest(run.config_toml)) {
    throw sqlite::damaged(database.file(), "the configuration is not as it was stored");
  }
  const std::int64_t index = query.next_integer();
  run.shard = checked_shard(database, index, query.next_integer());
  // What earlier configurations do not say: keys that came later, whose default is
  // something else. And what only they had: steps of first order that were sized by their error.
  // Such trials are read, not simulated again.
  constexpr int kFirstOfSecondOrder = 3;
  constexpr int kLastOfSizedFirstOrder = 5;
  const int engine = read_engine(database);
  const auto says = [&](std::string_view line) {
    return run.config_toml.find(line) != std::string::npos;
  };
  std::vector<std::string> keys;
  if (engine < kFirstOfSecondOrder) keys.emplace_back("simulation.order=1");
  const bool first_order = !keys.empty() || says("\norder = 1\n");
  if (engine <= kLastOfSizedFirstOrder && first_order && says("\ntolerance_mm = ")) {
    keys.emplace_back("simulation.tolerance_mm=0");
  }
  if (!says("\npoints = ")) keys.emplace_back("sweep.points=independent");
  run.config = parse_sweep_config(run.config_toml, database.file().string(), keys);
  if (!keys.empty()) run.config_toml = to_toml(run.config);
  return run;
}

std::string replace_config(const sqlite::Database& database, const SweepConfig& config) {
  std::string toml = to_toml(config);
  database.run("UPDATE run SET config_toml = ?, config_digest = ?", toml, text_digest(toml));
  return toml;
}

int read_engine(const sqlite::Database& database) {
  if (!has_table(database, "engine")) return 1;
  // Older stores have no digest.
  const bool checked =
      database.integer("SELECT count(*) FROM pragma_table_info('engine') WHERE name = 'digest'") >
      0;
  sqlite::Statement query(
      database, checked ? "SELECT number, digest FROM engine" : "SELECT number FROM engine");
  const std::int64_t number = query.step() ? query.next_integer() : 0;
  if (number < 1 || number > std::numeric_limits<int>::max()) {
    throw sqlite::damaged(database.file(), "the number of its engine is not there");
  }
  if (checked && query.next_text() != engine_digest(number)) {
    throw sqlite::damaged(database.file(), "the number of its engine is not as stored");
  }
  return static_cast<int>(number);
}

void check_engine(const RunStore& store) {
  if (store.engine() == kEngine) return;
  const auto processes = store.processes();
  const std::string by = processes.empty() ? ""
                                           : fmt::format(" ({}, {})", processes.front().version,
                                                         processes.front().git_commit);
  throw config_error(
      {store.file().string()}, "",
      fmt::format("was simulated by {} graspmap{}, whose numbers differ from those of this one in "
                  "their last bits: the run cannot continue here; hash, plot, compare and others "
                  "read it as it is; continue with the graspmap that began it, or start again with "
                  "--force",
                  store.engine() < kEngine ? "an earlier" : "a later", by));
}

namespace {

/// The columns of a process.
constexpr const char* kColumns =
    "version, git_commit, host, started_utc, processes, threads, sessions.trials, wall_s, probe";

/// Calls `visit` with each field of a process, in that order.
template <typename Process, typename Visit>
void visit_process(Process& process, const Visit& visit) {
  visit(process.version);
  visit(process.git_commit);
  visit(process.host);
  visit(process.started_utc);
  visit(process.ranks);
  visit(process.threads);
  visit(process.trials);
  visit(process.wall_s);
  visit(process.probe);
}

StoreProcess next_process(sqlite::Statement& query) {
  StoreProcess process;
  visit_process(process, [&](auto& value) { query.read(value); });
  return process;
}

std::string digest_of(const StoreProcess& process) {
  std::string text;
  visit_process(process, [&](const auto& value) { text += fmt::format("{}\n", value); });
  return text_digest(text);
}

void insert_digest(const sqlite::Database& database, std::int64_t number) {
  sqlite::Statement query(database,
                          fmt::format("SELECT {} FROM sessions WHERE session = ?", kColumns));
  query.bind(number);
  if (!query.step()) throw sqlite::damaged(database.file(), "a process is not there");
  const std::string digest = digest_of(next_process(query));
  query.reset();
  database.run("REPLACE INTO session_digests VALUES (?, ?)", number, digest);
}

struct NumberedProcess {
  std::int64_t number;
  StoreProcess process;
};

/// The process in the row of the query of read_processes.
NumberedProcess next_checked_process(const sqlite::Database& database, sqlite::Statement& query) {
  const std::int64_t number = query.next_integer();
  const std::string digest = query.next_text();  // empty: it was added without
  const std::int64_t in_blocks = query.next_integer();
  const StoreProcess process = next_process(query);
  const bool is_as_stored = digest.empty() || digest == digest_of(process);
  // After a merge blocks belong to no process.
  if (!is_as_stored || (in_blocks != 0 && in_blocks != process.trials)) {
    throw sqlite::damaged(database.file(),
                          fmt::format("process {} is not as it was stored", number));
  }
  return {number, process};
}

/// All processes in the order of their beginning.
std::vector<NumberedProcess> read_processes(const sqlite::Database& database) {
  const bool checked = has_table(database, "session_digests");
  // One statement: others may write between two.
  sqlite::Statement query(
      database, fmt::format("SELECT sessions.session, {}, in_blocks, {} FROM sessions {} LEFT JOIN "
                            "(SELECT session, sum(trials) AS in_blocks FROM blocks GROUP BY "
                            "session) USING (session) ORDER BY sessions.session",
                            checked ? "digest" : "NULL", kColumns,
                            checked ? "LEFT JOIN session_digests USING (session)" : ""));
  std::vector<NumberedProcess> processes;
  while (query.step()) processes.push_back(next_checked_process(database, query));
  if (checked && database.integer("SELECT count(*) FROM session_digests WHERE session NOT IN "
                                  "(SELECT session FROM sessions)") != 0) {
    throw sqlite::damaged(database.file(), "a process is not there");
  }
  // Not in SQL: a damaged file may have the same bytes as something that is no text.
  std::stable_sort(processes.begin(), processes.end(), [](const auto& a, const auto& b) {
    return a.process.started_utc < b.process.started_utc;
  });
  return processes;
}

}  // namespace

std::int64_t insert_process(const sqlite::Database& database, const StoreProcess& process) {
  create_process_digests(database);
  sqlite::Statement insert(
      database,
      "INSERT INTO sessions (version, git_commit, host, started_utc, "
      "processes, threads, trials, wall_s, probe) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  visit_process(process, [&](const auto& value) { insert.bind(value); });
  insert.run();
  const std::int64_t number = database.last_row_id();
  insert_digest(database, number);
  return number;
}

void count_in_process(const sqlite::Database& database, std::int64_t process, std::int64_t trials,
                      double wall_s) {
  database.run("UPDATE sessions SET trials = trials + ?, wall_s = ? WHERE session = ?", trials,
               wall_s, process);
  insert_digest(database, process);
}

std::vector<StoreProcess> list_processes(const sqlite::Database& database) {
  std::vector<StoreProcess> processes;
  for (NumberedProcess& each : read_processes(database)) {
    processes.push_back(std::move(each.process));
  }
  return processes;
}

std::optional<StoreProcess> process_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial) {
  sqlite::Statement query(
      database, "SELECT session FROM blocks WHERE session IS NOT NULL AND first_trial = ?");
  query.bind(first_trial);
  if (!query.step()) return std::nullopt;
  const std::int64_t number = query.next_integer();
  query.reset();
  for (NumberedProcess& each : read_processes(database)) {
    if (each.number == number) return std::move(each.process);
  }
  throw sqlite::damaged(database.file(), fmt::format("process {} is not there", number));
}

}  // namespace graspmap
