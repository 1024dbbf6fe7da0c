#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "tests/support/trial_rows.hpp"

namespace graspmap::testing {

/// A store of made-up rows, one block for each range.
inline RunStore made_up_store(const std::filesystem::path& file, const SweepConfig& config,
                              const std::vector<TrialRange>& blocks, Shard shard = {},
                              int engine = kEngine) {
  RunStore store = RunStore::create(file, config, shard, engine);
  store.begin_process({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  for (const TrialRange& block : blocks) store.append(made_up_rows(config, block), 0.5);
  return store;
}

/// Puts another text in place of a store's configuration, as an engine with other keys wrote it.
inline void put_config_text(const std::filesystem::path& file, const std::string& toml) {
  const sqlite::Database database(file, sqlite::Database::Mode::kReadWrite);
  sqlite::Statement update(database, "UPDATE run SET config_toml = ?, config_digest = ?");
  update.bind_text(toml);
  update.bind_text(text_digest(toml));
  update.run();
}

inline std::vector<TrialRow> all_rows(const RunStore& store) {
  std::vector<TrialRow> rows;
  store.for_each([&](const TrialRow& row) { rows.push_back(row); });
  return rows;
}

/// All rows of the store in a file.
inline std::vector<TrialRow> all_rows(const std::filesystem::path& file) {
  return all_rows(RunStore::open(file, RunStore::Access::kRead));
}

}  // namespace graspmap::testing
