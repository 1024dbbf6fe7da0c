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

namespace {

Shard checked_shard(const sqlite::Database& database, std::int64_t index, std::int64_t count) {
  if (index < 1 || index > count || count > std::numeric_limits<int>::max()) {
    throw sqlite::damaged(database.file(), fmt::format("it is for shard {}/{}", index, count));
  }
  return {static_cast<int>(index), static_cast<int>(count)};
}

/// What earlier engines had that their configurations do not say: keys that came later, whose
/// default is something else.
std::vector<std::string> keys_of_engine(int engine) {
  constexpr int kFirstOfSecondOrder = 3;
  if (engine >= kFirstOfSecondOrder) return {};
  return {"simulation.order=1"};
}

/// Reads the configuration of an engine's run.
void read_config(StoredRun& run, const std::string& file, int engine) {
  const std::vector<std::string> keys = keys_of_engine(engine);
  run.config = parse_sweep_config(run.config_toml, file, keys);
  if (!keys.empty()) run.config_toml = to_toml(run.config);
}

}  // namespace

void insert_run(const sqlite::Database& database, const SweepConfig& config, Shard shard) {
  const std::string toml = to_toml(config);
  sqlite::Statement insert(database, "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind_text(config.name);
  insert.bind_text(toml);
  insert.bind_text(text_digest(toml));
  insert.bind_integer(static_cast<std::int64_t>(config.seed));
  insert.bind_integer(shard.index);
  insert.bind_integer(shard.count);
  insert.bind_text(version());
  insert.bind_text(git_commit());
  insert.bind_text(utc_now());
  insert.run();
}

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
  read_config(run, database.file().string(), read_engine(database));
  return run;
}

std::string replace_config(const sqlite::Database& database, const SweepConfig& config) {
  std::string toml = to_toml(config);
  sqlite::Statement update(database, "UPDATE run SET config_toml = ?, config_digest = ?");
  update.bind_text(toml);
  update.bind_text(text_digest(toml));
  update.run();
  return toml;
}

void create_engine_table(const sqlite::Database& database, int engine) {
  database.execute("CREATE TABLE engine (number INTEGER)");
  sqlite::Statement insert(database, "INSERT INTO engine VALUES (?)");
  insert.bind_integer(engine);
  insert.run();
}

int read_engine(const sqlite::Database& database) {
  if (database.integer(
          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'engine'") == 0) {
    return 1;
  }
  sqlite::Statement query(database, "SELECT number FROM engine");
  const std::int64_t number = query.step() ? query.next_integer() : 0;
  if (number < 1 || number > std::numeric_limits<int>::max()) {
    throw sqlite::damaged(database.file(), "the number of its engine is not there");
  }
  return static_cast<int>(number);
}

void check_engine(const std::filesystem::path& folder, const RunStore& store) {
  if (store.engine() == kEngine) return;
  const auto sessions = store.sessions();
  const std::string by = sessions.empty() ? ""
                                          : fmt::format(" ({}, {})", sessions.front().version,
                                                        sessions.front().git_commit);
  throw ConfigError(
      fmt::format("{}: was simulated by {} graspmap{}, whose numbers differ from those of this one "
                  "in their last bits: the run cannot go on here; hash, plot, compare and others "
                  "read it as it is; go on with the graspmap that began it, or begin anew with "
                  "--force",
                  folder.string(), store.engine() < kEngine ? "an earlier" : "a later", by));
}

namespace {

/// The columns of a session in the order of next_session.
constexpr const char* kColumns =
    "version, git_commit, host, started_utc, processes, threads, sessions.trials, wall_s, probe";

StoreSession next_session(sqlite::Statement& query) {
  StoreSession session;
  session.version = query.next_text();
  session.git_commit = query.next_text();
  session.host = query.next_text();
  session.started_utc = query.next_text();
  session.processes = static_cast<int>(query.next_integer());
  session.threads = static_cast<int>(query.next_integer());
  session.trials = query.next_integer();
  session.wall_s = query.next_number();
  session.probe = query.next_text();
  return session;
}

std::string digest_of(const StoreSession& session) {
  return text_digest(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", session.version,
                                 session.git_commit, session.host, session.started_utc,
                                 session.processes, session.threads, session.trials, session.wall_s,
                                 session.probe));
}

void insert_digest(const sqlite::Database& database, std::int64_t number) {
  sqlite::Statement query(database,
                          fmt::format("SELECT {} FROM sessions WHERE session = ?", kColumns));
  query.bind_integer(number);
  if (!query.step()) throw sqlite::damaged(database.file(), "a session is not there");
  const std::string digest = digest_of(next_session(query));
  query.reset();
  sqlite::Statement replace(database, "REPLACE INTO session_digests VALUES (?, ?)");
  replace.bind_integer(number);
  replace.bind_text(digest);
  replace.run();
}

bool has_digests(const sqlite::Database& database) {
  return database.integer(
             "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = "
             "'session_digests'") != 0;
}

struct NumberedSession {
  std::int64_t number;
  StoreSession session;
};

/// The session in the row of the query of read_sessions.
NumberedSession next_checked_session(const sqlite::Database& database, sqlite::Statement& query) {
  const std::int64_t number = query.next_integer();
  const std::string digest = query.next_text();  // empty: it was added without
  const std::int64_t in_blocks = query.next_integer();
  const StoreSession session = next_session(query);
  const bool is_as_stored = digest.empty() || digest == digest_of(session);
  // After a merge blocks belong to no session.
  if (!is_as_stored || (in_blocks != 0 && in_blocks != session.trials)) {
    throw sqlite::damaged(database.file(),
                          fmt::format("session {} is not as it was stored", number));
  }
  return {number, session};
}

/// All sessions in the order of their beginning.
std::vector<NumberedSession> read_sessions(const sqlite::Database& database) {
  const bool checked = has_digests(database);
  // One statement: others may write between two.
  sqlite::Statement query(
      database, fmt::format("SELECT sessions.session, {}, in_blocks, {} FROM sessions {} LEFT JOIN "
                            "(SELECT session, sum(trials) AS in_blocks FROM blocks GROUP BY "
                            "session) USING (session) ORDER BY sessions.session",
                            checked ? "digest" : "NULL", kColumns,
                            checked ? "LEFT JOIN session_digests USING (session)" : ""));
  std::vector<NumberedSession> sessions;
  while (query.step()) sessions.push_back(next_checked_session(database, query));
  if (checked && database.integer("SELECT count(*) FROM session_digests WHERE session NOT IN "
                                  "(SELECT session FROM sessions)") != 0) {
    throw sqlite::damaged(database.file(), "a session is not there");
  }
  // Not in SQL: a damaged file may have the same bytes as something that is no text.
  std::stable_sort(sessions.begin(), sessions.end(), [](const auto& a, const auto& b) {
    return a.session.started_utc < b.session.started_utc;
  });
  return sessions;
}

}  // namespace

void create_session_digests(const sqlite::Database& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS session_digests (session INTEGER PRIMARY KEY REFERENCES "
      "sessions, digest TEXT)");
}

std::int64_t insert_session(const sqlite::Database& database, const StoreSession& session) {
  create_session_digests(database);
  sqlite::Statement insert(
      database,
      "INSERT INTO sessions (version, git_commit, host, started_utc, "
      "processes, threads, trials, wall_s, probe) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind_text(session.version);
  insert.bind_text(session.git_commit);
  insert.bind_text(session.host);
  insert.bind_text(session.started_utc);
  insert.bind_integer(session.processes);
  insert.bind_integer(session.threads);
  insert.bind_integer(session.trials);
  insert.bind_number(session.wall_s);
  insert.bind_text(session.probe);
  insert.run();
  const std::int64_t number = database.last_row_id();
  insert_digest(database, number);
  return number;
}

void count_in_session(const sqlite::Database& database, std::int64_t session, std::int64_t trials,
                      double wall_s) {
  sqlite::Statement update(database,
                           "UPDATE sessions SET trials = trials + ?, wall_s = ? WHERE session = ?");
  update.bind_integer(trials);
  update.bind_number(wall_s);
  update.bind_integer(session);
  update.run();
  insert_digest(database, session);
}

std::vector<StoreSession> list_sessions(const sqlite::Database& database) {
  std::vector<StoreSession> sessions;
  for (NumberedSession& each : read_sessions(database)) {
    sessions.push_back(std::move(each.session));
  }
  return sessions;
}

std::optional<StoreSession> session_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial) {
  sqlite::Statement query(
      database, "SELECT session FROM blocks WHERE session IS NOT NULL AND first_trial = ?");
  query.bind_integer(first_trial);
  if (!query.step()) return std::nullopt;
  const std::int64_t number = query.next_integer();
  query.reset();
  for (NumberedSession& each : read_sessions(database)) {
    if (each.number == number) return std::move(each.session);
  }
  throw sqlite::damaged(database.file(), fmt::format("session {} is not there", number));
}

}  // namespace graspmap
