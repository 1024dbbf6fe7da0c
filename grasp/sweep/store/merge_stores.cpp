#include "grasp/sweep/store/merge_stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <queue>
#include <set>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

/// Throws unless a store can be merged with those of a plan.
void check_same_sweep(const MergePlan& plan, const RunStore& store) {
  if (store.config().adaptive) {
    throw config_error({store.file().string()}, "",
                       "is an adaptive run, which is complete on its own; only runs with "
                       "sweep.sampling = \"uniform\" can be merged");
  }
  if (plan.shards.empty()) return;
  const std::string first = plan.shards.front().file.string();
  if (store.engine() != plan.engine) {
    throw ConfigError(fmt::format(
        "{} and {} were simulated by an earlier and a later graspmap, whose numbers differ in "
        "their last bits, and cannot be merged; simulate the earlier shards again",
        first, store.file().string()));
  }
  const std::string differences = sweep_differences_text(plan.config, store.config());
  if (differences.empty()) return;
  throw ConfigError(fmt::format("{} and {} are of different sweeps and cannot be merged: {}", first,
                                store.file().string(), differences));
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
  for (const StoreProcess& process : processes) {
    if (process.trials == 0 || !probes.insert(process.probe).second) continue;
    kinds.push_back(
        fmt::format("{} ({}) on host {}", process.version, process.git_commit, process.host));
  }
  return kinds;
}

MergePlan plan_merge(const std::vector<fs::path>& stores) {
  MergePlan plan;
  for (const fs::path& file : stores) {
    const RunStore store = RunStore::open(file, RunStore::Access::kRead);
    check_same_sweep(plan, store);
    if (plan.shards.empty()) {
      plan.config = store.config();
      plan.engine = store.engine();
    }
    plan.config.trials_per_cell =
        std::max(plan.config.trials_per_cell, store.config().trials_per_cell);
    plan.shards.push_back({store.file(), store.stored()});
    // A store that was merged has the processes of its shards.
    for (const StoreProcess& process : store.processes()) {
      auto& all = plan.processes;
      if (std::find(all.begin(), all.end(), process) == all.end()) all.push_back(process);
    }
  }
  std::stable_sort(
      plan.processes.begin(), plan.processes.end(),
      [](const StoreProcess& a, const StoreProcess& b) { return a.started_utc < b.started_utc; });
  return plan;
}

namespace {

/// Reads the rows of a shard. The store is open from its first row to its last only: there may be
/// more shards than files that a process may have open.
class ShardReader {
 public:
  /// `shard` must have trials.
  explicit ShardReader(const MergeShard& shard)
      : shard_(shard), next_index_(shard.stored.front().first) {}

  [[nodiscard]] const std::filesystem::path& file() const { return shard_.file; }
  /// The index of the next row; nothing at the end.
  [[nodiscard]] std::optional<std::int64_t> next_index() const { return next_index_; }

  TrialRow next() {
    if (!open_) open();
    const TrialRow row = open_->reader.next();
    next_index_ = open_->reader.next_index();
    if (!next_index_) open_.reset();
    return row;
  }

 private:
  struct OpenStore {
    explicit OpenStore(const std::filesystem::path& file)
        : store(RunStore::open(file, RunStore::Access::kRead)), reader(store) {}

    RunStore store;
    TrialReader reader;
  };

  void open() {
    open_ = std::make_unique<OpenStore>(shard_.file);
    TrialReader& reader = open_->reader;
    // A run that still continues may have got earlier trials since the plan was made.
    while (reader.next_index() && *reader.next_index() < *next_index_) reader.next();
    if (reader.next_index() != next_index_) {
      throw IoError(fmt::format("{}: was overwritten while it was merged", shard_.file.string()));
    }
  }

  const MergeShard& shard_;
  std::optional<std::int64_t> next_index_;
  std::unique_ptr<OpenStore> open_;
};

/// The shard whose next row has the lowest index comes first.
struct LaterRow {
  bool operator()(const ShardReader* a, const ShardReader* b) const {
    return a->next_index() > b->next_index();
  }
};

/// The rows of all shards in the order of their indices.
class MergedRows {
 public:
  explicit MergedRows(const std::vector<MergeShard>& shards) {
    for (const MergeShard& shard : shards) {
      if (shard.stored.empty()) continue;
      readers_.push_back(std::make_unique<ShardReader>(shard));
      queue_.push(readers_.back().get());
    }
  }

  [[nodiscard]] bool at_end() const { return queue_.empty(); }

  /// The next row, from all shards that have it.
  TrialRow next() {
    const ShardReader& first = *queue_.top();
    const TrialRow row = take();
    while (!queue_.empty() && queue_.top()->next_index() == row.index) {
      const ShardReader& other = *queue_.top();
      check_same(row, first, take(), other);
    }
    return row;
  }

 private:
  TrialRow take() {
    ShardReader* reader = queue_.top();
    queue_.pop();
    const TrialRow row = reader->next();
    if (reader->next_index()) queue_.push(reader);
    return row;
  }

  static void check_same(const TrialRow& a, const ShardReader& shard_a, const TrialRow& b,
                         const ShardReader& shard_b) {
    if (identical(a, b)) return;
    std::vector<std::string> fields;
    for (const FieldDifference& each : different_fields(a, b)) fields.push_back(each.field);
    throw ConfigError(fmt::format(
        "{} and {} have different results of trial {}: {}; merge one of them only, or simulate "
        "both with the same graspmap",
        shard_a.file().string(), shard_b.file().string(), a.index, fmt::join(fields, ", ")));
  }

  std::vector<std::unique_ptr<ShardReader>> readers_;
  std::priority_queue<ShardReader*, std::vector<ShardReader*>, LaterRow> queue_;
};

}  // namespace

void merge_stores(const MergePlan& plan, RunStore& out,
                  const std::function<void(const TrialRow&)>& visit, const std::atomic<int>& stop) {
  for (const StoreProcess& process : plan.processes) out.add_past_process(process);
  MergedRows rows(plan.shards);
  std::vector<TrialRow> block;  // as large as can be
  const auto flush = [&] {
    if (!block.empty()) out.append(block, 0);
    block.clear();
  };
  while (!rows.at_end() && stop == 0) {
    const TrialRow row = rows.next();
    const bool follows = block.empty() || row.index == block.back().index + 1;
    if (!follows || std::ssize(block) == kMostBlockTrials) flush();
    block.push_back(row);
    visit(row);
  }
  flush();
}

namespace {

/// The journal that SQLite keeps beside a store while it writes.
fs::path journal(const fs::path& store) { return store.string() + "-journal"; }

/// A store that is being made in a run folder. Removed at the end when it has not become the run's.
class StoreInTheMaking {
 public:
  /// The name is always the same, so that what a killed process left is found and removed.
  explicit StoreInTheMaking(const fs::path& folder)
      : target_(folder / run_files::kStore),
        file_(folder / ".run.sqlite.merging"),
        journal_(journal(file())) {
    remove_file(file());
    remove_file(journal_.path());
  }

  [[nodiscard]] const fs::path& file() const { return file_.path(); }

  void commit() const {
    // Files made from another run's trials must not stand beside the new store.
    for (const char* file : {run_files::kSummary, run_files::kMap, run_files::kTrials,
                             run_files::kNpz, run_files::kConfig}) {
      remove_file(target_.parent_path() / file);
    }
    // A journal that a killed process left would be taken for one of the new store.
    remove_file(journal(target_));
    std::error_code error;
    fs::rename(file(), target_, error);
    if (error) {
      throw IoError(fmt::format("{}: cannot be replaced: {}", target_.string(), error.message()));
    }
  }

 private:
  fs::path target_;
  TemporaryPath file_;
  TemporaryPath journal_;
};

}  // namespace

std::optional<RunTotals> merge_into_run(const fs::path& folder, const MergePlan& plan,
                                        TrialCounters& counters, const std::atomic<int>& stop) {
  const StoreInTheMaking making(folder);
  RunTotals totals(plan.config);
  {
    RunStore store = RunStore::create(making.file(), plan.config, {}, plan.engine);
    const auto count = [&](const TrialRow& row) {
      totals.add(row);
      counters.add(row.outcome);
    };
    merge_stores(plan, store, count, stop);
  }
  if (stop != 0) return std::nullopt;
  making.commit();
  return totals;
}

}  // namespace graspmap
