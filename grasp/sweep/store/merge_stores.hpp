#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// A store that is to be merged, closed again.
struct MergeShard {
  std::filesystem::path file;
  TrialRanges stored;
};

/// What several stores give when they are merged.
struct MergePlan {
  SweepConfig config;    ///< with the most trials per cell of all
  int engine = kEngine;  ///< whose trials the shards are
  std::vector<MergeShard> shards;
  std::vector<StoreProcess>
      processes;  ///< of all shards, each once, in the order of their beginning

  /// The trials that no shard has.
  [[nodiscard]] TrialRanges missing() const;
  /// Those who added trials and compute other bits than each other, one of each kind: "0.1.0
  /// (6c2f...) on host lab3". More than one means that the trials are not those that any of them
  /// would give alone.
  [[nodiscard]] std::vector<std::string> kinds_of_bits() const;
};

/// Looks at stores one after the other, without their trials. Throws ConfigError, naming keys and
/// values, when their configurations differ in more than sweep.trials_per_cell, or when their
/// trials are of different engines; and what RunStore::open throws.
MergePlan plan_merge(const std::vector<std::filesystem::path>& stores);

/// Copies the trials of all shards of a plan into `out`, a new store of the plan's configuration,
/// in the order of their indices, and the processes. Calls `visit` with each row once. A trial that
/// several shards have must be the same in all of them, to the last bit. Ends early, with a part of
/// the trials, once `stop` is not zero. The memory it needs does not grow with the trials, nor with
/// the shards, except those whose blocks overlap. Throws ConfigError for trials that differ, naming
/// the fields, and what RunStore throws.
void merge_stores(const MergePlan& plan, RunStore& out,
                  const std::function<void(const TrialRow&)>& visit, const std::atomic<int>& stop);

/// Merges stores into the store of a run folder, in place of one that may be there (and among those
/// that are merged): under another name, which becomes run.sqlite at the very end. The folder must
/// exist and be locked by the caller. Returns what the trials add up to, or nothing, with the
/// folder as it was, once `stop` is not zero. Counts the trials in `counters`. Throws what
/// merge_stores throws, with the folder as it was.
std::optional<RunTotals> merge_into_run(const std::filesystem::path& folder, const MergePlan& plan,
                                        TrialCounters& counters, const std::atomic<int>& stop);

}  // namespace graspmap
