#pragma once

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

/// The tables of run.sqlite; docs/reference/formats.md describes them.

namespace graspmap {

/// Makes the tables of a store, and fills those that say what the run is: all of it or nothing.
void create_store_tables(const sqlite::Database& database, const SweepConfig& config, Shard shard,
                         int engine);

/// Throws ConfigError when a database is no store, is one of another format version, or lacks a
/// table. Reads no trials.
void check_store_tables(const sqlite::Database& database);

}  // namespace graspmap
