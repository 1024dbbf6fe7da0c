#include "grasp/sweep/store/merge_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grasp/sweep/config/config_difference.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

void check_same_sweep(const MergePlan& plan, const RunStore& store) {
  const std::string differences =
      sweep_differences_text(to_toml(plan.config), to_toml(store.config()));
  if (differences.empty()) return;
  throw ConfigError(fmt::format("{} and {} are of different sweeps and cannot be merged: {}",
                                plan.shards.front().file.string(), store.file().string(),
                                differences));
}

void check_one_engine(const MergePlan& plan, const RunStore& store) {
  if (store.engine() == plan.engine) return;
  throw ConfigError(fmt::format(
      "{} and {} were simulated by an earlier and a later graspmap, whose numbers differ in their "
      "last bits, and cannot be merged; simulate the earlier shards again",
      plan.shards.front().file.string(), store.file().string()));
}

/// Adds sessions that are not there yet: a store that was merged has those of its shards.
void add_sessions(std::vector<StoreSession>& all, const std::vector<StoreSession>& more) {
  for (const StoreSession& session : more) {
    if (std::find(all.begin(), all.end(), session) == all.end()) all.push_back(session);
  }
}

void add_store(MergePlan& plan, const RunStore& store) {
  if (store.config().adaptive) {
    throw ConfigError(fmt::format(
        "{}: is an adaptive run, which is whole by itself; only runs with sweep.sampling = "
        "\"uniform\" can be merged",
        store.file().string()));
  }
  if (plan.shards.empty()) {
    plan.config = store.config();
    plan.engine = store.engine();
  } else {
    check_one_engine(plan, store);
    check_same_sweep(plan, store);
  }
  plan.config.trials_per_cell =
      std::max(plan.config.trials_per_cell, store.config().trials_per_cell);
  plan.shards.push_back({store.file(), store.stored()});
  add_sessions(plan.sessions, store.sessions());
}

}  // namespace

TrialRanges MergePlan::missing() const {
  std::vector<TrialRange> ranges;
  for (const MergeShard& shard : shards) {
    ranges.insert(ranges.end(), shard.stored.begin(), shard.stored.end());
  }
  return graspmap::missing(joined(std::move(ranges)), {0, config.trials()});
}

std::vector<std::string> MergePlan::kinds_of_bits() const {
  std::set<std::string> probes;
  std::vector<std::string> kinds;
  for (const StoreSession& session : sessions) {
    if (session.trials == 0 || !probes.insert(session.probe).second) continue;
    kinds.push_back(
        fmt::format("{} ({}) on host {}", session.version, session.git_commit, session.host));
  }
  return kinds;
}

MergePlan plan_merge(const std::vector<fs::path>& stores) {
  MergePlan plan;
  for (const fs::path& file : stores) {
    add_store(plan, RunStore::open(file, RunStore::Access::kRead));
  }
  std::stable_sort(
      plan.sessions.begin(), plan.sessions.end(),
      [](const StoreSession& a, const StoreSession& b) { return a.started_utc < b.started_utc; });
  return plan;
}

}  // namespace graspmap
