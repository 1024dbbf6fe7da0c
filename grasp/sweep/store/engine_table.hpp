#pragma once

#include <filesystem>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_store.hpp"

/// The table `engine` of a store: its one row is the number of the engine
/// (grasp/sweep/trials/engine.hpp) that its trials are of.

namespace graspmap {

void create_engine_table(const sqlite::Database& database, int engine);

/// Stores made before there was such a table are of engine 1. Throws ConfigError for a table
/// without a number.
int read_engine(const sqlite::Database& database);

/// Throws ConfigError when the trials of a store are those of another engine: it cannot go on.
void check_engine(const std::filesystem::path& folder, const RunStore& store);

}  // namespace graspmap
