#include "grasp/sweep/store/store_sessions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
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
