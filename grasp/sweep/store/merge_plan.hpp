#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"

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
  std::vector<StoreSession>
      sessions;  ///< of all shards, each once, in the order of their beginning

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

}  // namespace graspmap
