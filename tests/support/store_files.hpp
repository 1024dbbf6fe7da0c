#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/store/run_store.hpp"
#include "tests/support/trial_rows.hpp"

namespace graspmap::testing {

/// A store of made-up rows, one block for each range.
inline RunStore made_up_store(const std::filesystem::path& file, const SweepConfig& config,
                              const std::vector<TrialRange>& blocks, Shard shard = {},
                              int engine = kEngine) {
  RunStore store = RunStore::create(file, config, shard, engine);
  store.begin_session({"1.2.3", "abc", "host", "2026-11-21T08:15:30Z", 1, 2});
  for (const TrialRange& block : blocks) store.append(made_up_rows(config, block), 0.5);
  return store;
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
