#include "grasp/sweep/store/stored_run.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "grasp/base/process/utc_time.hpp"
#include "grasp/base/process/version.hpp"
#include "grasp/sweep/store/engine_table.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
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

}  // namespace graspmap
