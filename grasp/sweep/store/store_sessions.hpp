#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_store.hpp"

/// The table `sessions` of a store: who added trials.

namespace graspmap {

/// Makes the table of the sessions' digests unless it is there: stores of earlier versions have
/// none.
void create_session_digests(const sqlite::Database& database);

/// Adds a session and returns its number.
std::int64_t insert_session(const sqlite::Database& database, const StoreSession& session);

/// Counts trials that a session has added. `wall_s` is how long it has lasted.
void count_in_session(const sqlite::Database& database, std::int64_t session, std::int64_t trials,
                      double wall_s);

/// All sessions in the order of their beginning. Throws ConfigError when one is not as it was
/// stored.
std::vector<StoreSession> list_sessions(const sqlite::Database& database);

/// The session that added the block with this first trial; nothing when it was added in none.
/// Throws ConfigError when a session, or the number of trials that its blocks have, is not as it
/// was stored.
std::optional<StoreSession> session_of_block(const sqlite::Database& database,
                                             std::int64_t first_trial);

}  // namespace graspmap
