#pragma once

#include <string>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

/// The table `run` of a store: its one row says what the run is.

namespace graspmap {

struct StoredRun {
  SweepConfig config;
  std::string config_toml;  ///< to_toml(config)
  Shard shard;

  [[nodiscard]] TrialRange asked() const { return shard_range(config.trials(), shard); }
};

void insert_run(const sqlite::Database& database, const SweepConfig& config, Shard shard);

/// Throws ConfigError when the row is not there or not as it was written.
StoredRun read_run(const sqlite::Database& database);

/// Puts another configuration in place of the one that was there. Returns its text.
std::string replace_config(const sqlite::Database& database, const SweepConfig& config);

}  // namespace graspmap
