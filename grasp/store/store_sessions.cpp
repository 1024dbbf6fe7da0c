#include "grasp/store/store_sessions.hpp"

namespace graspmap {
namespace {

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

}  // namespace

std::int64_t insert_session(const sqlite::Database& database, const StoreSession& session) {
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
  return database.last_row_id();
}

void count_in_session(const sqlite::Database& database, std::int64_t session, std::int64_t trials,
                      double wall_s) {
  sqlite::Statement update(database,
                           "UPDATE sessions SET trials = trials + ?, wall_s = ? WHERE session = ?");
  update.bind_integer(trials);
  update.bind_number(wall_s);
  update.bind_integer(session);
  update.run();
}

std::vector<StoreSession> list_sessions(const sqlite::Database& database) {
  sqlite::Statement query(database,
                          "SELECT version, git_commit, host, started_utc, processes, threads, "
                          "trials, wall_s, probe FROM sessions ORDER BY started_utc, session");
  std::vector<StoreSession> sessions;
  while (query.step()) sessions.push_back(next_session(query));
  return sessions;
}

std::optional<StoreSession> session_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial) {
  sqlite::Statement query(
      database,
      "SELECT version, git_commit, host, started_utc, processes, threads, sessions.trials, wall_s, "
      "probe FROM sessions JOIN blocks USING (session) WHERE first_trial = ?");
  query.bind_integer(first_trial);
  if (!query.step()) return std::nullopt;
  return next_session(query);
}

}  // namespace graspmap
