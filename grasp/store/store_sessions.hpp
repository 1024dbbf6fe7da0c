#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/io/sqlite.hpp"
#include "grasp/store/run_store.hpp"

/// The table `sessions` of a store: who added trials.

namespace graspmap {

/// Adds a session and returns its number.
std::int64_t insert_session(const sqlite::Database& database, const StoreSession& session);

/// Counts trials that a session has added. `wall_s` is how long it has lasted.
void count_in_session(const sqlite::Database& database, std::int64_t session, std::int64_t trials,
                      double wall_s);

/// All sessions in the order of their beginning.
std::vector<StoreSession> list_sessions(const sqlite::Database& database);

/// The session that added the block with this first trial; nothing when it was added in none.
std::optional<StoreSession> session_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial);

}  // namespace graspmap
