#include "grasp/sweep/store/stored_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "grasp/base/process/environment.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/store_tables.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

constexpr double kBlock_s = 0.5;  ///< what a crash can lose, besides what is being run
constexpr double kWait_s = 0.1;
constexpr auto kFullBlock = static_cast<std::size_t>(kMostBlockTrials);

/// Gives a queue the trials that a store misses and moves their rows into the store: when
/// kMostBlockTrials rows are there, or the last were stored half a second ago. The trials of an
/// adaptive run come round by round: the next one when all rows of the last one are there.
class StoreCollector {
 public:
  /// The queue must be one to which trials are added, and have none; the store's process must have
  /// begun. `totals` are those of the stored trials; rows that are stored are added to them.
  /// `counters`, if any, count what a crash can no longer lose.
  StoreCollector(ChunkQueue& queue, RunStore& store, RunTotals& totals, TrialCounters* counters)
      : queue_(queue), store_(store), totals_(totals), counters_(counters) {}

  /// Works until the queue is closed and empty. On an error of the store the queue is closed, the
  /// rows that are not stored are lost, and the error is thrown on.
  void run() {
    try {
      add_round();
      while (queue_.take(rows_, kFullBlock, kWait_s)) {
        if (is_due()) flush();
      }
      flush();
    } catch (...) {
      queue_.close();
      throw;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Gives the queue what is to be run next: all that is missing, or in an adaptive run the next
  /// round.
  void add_round() {
    const TrialRanges round =
        totals_.rounds ? totals_.rounds->missing() : missing(store_.stored(), store_.asked());
    awaited_ = count_trials(round);
    rows_.reserve(std::min(kFullBlock, rows_.size() + static_cast<std::size_t>(awaited_)));
    queue_.add(round);
    if (!totals_.rounds || totals_.rounds->finished()) queue_.add_no_more();
  }

  [[nodiscard]] bool is_due() const {
    if (rows_.empty()) return false;
    return std::ssize(rows_) >= std::min(kMostBlockTrials, awaited_) ||
           std::chrono::duration<double>(Clock::now() - last_flush_).count() >= kBlock_s;
  }

  void flush() {
    for (const TrialRow& row : rows_) totals_.add(row);
    awaited_ -= std::ssize(rows_);
    // The next round is simulated while this one is stored.
    if (awaited_ == 0 && !queue_.exhausted()) add_round();
    try {
      if (!rows_.empty()) {
        store_.append_blocks(rows_, std::chrono::duration<double>(Clock::now() - start_).count());
      }
    } catch (...) {
      totals_ = read_totals(store_);
      throw;
    }
    if (counters_ != nullptr) {
      for (const TrialRow& row : rows_) counters_->add(row.outcome);
    }
    rows_.clear();
    last_flush_ = Clock::now();
  }

  ChunkQueue& queue_;
  RunStore& store_;
  RunTotals& totals_;
  TrialCounters* counters_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_flush_ = start_;
  std::vector<TrialRow> rows_;
  std::int64_t awaited_ = 0;  ///< trials that the queue was given and whose rows are not counted
};

/// Closes a queue at the end of a scope, so that nobody waits for it any more.
class ClosingQueue {
 public:
  explicit ClosingQueue(ChunkQueue& queue) : queue_(queue) {}
  ~ClosingQueue() { queue_.close(); }
  ClosingQueue(const ClosingQueue&) = delete;
  ClosingQueue& operator=(const ClosingQueue&) = delete;

 private:
  ChunkQueue& queue_;
};

}  // namespace

void run_stored_sweep(RunStore& store, RunTotals& totals, ChunkQueue& queue,
                      TrialCounters* counters, const std::function<void()>& run_queue) {
  StoreCollector collector(queue, store, totals, counters);
  BackgroundTask collecting([&] { collector.run(); });
  {
    const ClosingQueue closing(queue);  // before the collector is waited for
    run_queue();
  }
  collecting.finish();
}

void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial) {
  ChunkQueue queue(control.stop);
  run_stored_sweep(store, totals, queue, control.counters,
                   [&] { run_chunks(queue, control.threads, trial); });
}

namespace fs = std::filesystem;
namespace {

constexpr const char* kTrialsPerCell = "sweep.trials_per_cell";
constexpr std::int64_t kTrialsRunAgain = 8;

OpenedRun create(const fs::path& folder, const SweepConfig& config, Shard shard) {
  return {RunStore::create(folder / run_files::kStore, config, shard), RunTotals(config)};
}

std::string shard_text(Shard shard) {
  return shard.is_whole() ? "a whole sweep" : fmt::format("shard {}/{}", shard.index, shard.count);
}

[[noreturn]] void refuse(const fs::path& folder) {
  const RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kRead);
  const RunTotals totals = read_totals(store);
  const bool complete = totals.is_complete(store.trials_asked());
  throw config_error({folder.string()}, "",
                     fmt::format("holds {} run ({} of {} trials); --resume continues it, "
                                 "--force overwrites it, --out DIR writes elsewhere",
                                 complete ? "a finished" : "an incomplete",
                                 count_trials(store.stored()), store.trials_asked()));
}

/// Throws ConfigError unless the stored run is the one that is asked for, or a smaller one.
void check_same_run(const RunStore& store, const fs::path& folder, const SweepConfig& config,
                    Shard shard) {
  if (store.config().adaptive.has_value() != config.adaptive.has_value()) {
    throw config_error({folder.string()}, "",
                       fmt::format("holds a run with sweep.sampling = \"{}\"; must be the same",
                                   config.adaptive ? "uniform" : "adaptive"));
  }
  const std::string differences = sweep_differences_text(store.config(), config);
  if (!differences.empty()) {
    throw config_error(
        {folder.string()}, "",
        fmt::format(
            "is a run of another configuration and cannot continue with this one; there and here: "
            "{}",
            differences));
  }
  if (!(store.shard() == shard)) {
    throw config_error(
        {folder.string()}, "",
        fmt::format("holds {}, not {}", shard_text(store.shard()), shard_text(shard)));
  }
  const int there = store.config().trials_per_cell;
  if (config.adaptive) {
    if (config.trials_per_cell != there) {
      throw config_error(
          {folder.string()}, kTrialsPerCell,
          fmt::format(
              "the adaptive run has at most {} trials per cell, here are {}; must be the same, "
              "for what it simulates depends on it (sweep.adaptive.most_trials may grow)",
              there, config.trials_per_cell));
    }
    if (config.most_trials() < store.config().most_trials()) {
      throw config_error({folder.string()}, "sweep.adaptive.most_trials",
                         fmt::format("the run has {}, here are {}; must not be fewer",
                                     store.config().most_trials(), config.most_trials()));
    }
    if (config.adaptive->goal == AdaptiveGoal::kPlan && config.robot != store.config().robot) {
      throw config_error({folder.string()}, "robot",
                         "the run's trials are allocated for another error of the robot; must be "
                         "the same (plan takes other errors: --position-sigma-mm ...)");
    }
    return;
  }
  if (config.trials_per_cell < there) {
    throw config_error(
        {folder.string()}, kTrialsPerCell,
        fmt::format("the run has {0} trials per cell, here are {1}; must not be fewer "
                    "(--trials-per-cell {0} continues it as it is)",
                    there, config.trials_per_cell));
  }
  // Part I of N more trials begins at another index: the stored ones would belong to other shards.
  if (config.trials_per_cell > there && !shard.is_whole()) {
    throw config_error({folder.string()}, "",
                       fmt::format("holds a shard of a sweep with {} trials per cell, which cannot "
                                   "be extended; merge the shards and extend the whole",
                                   there));
  }
}

/// Adds up what is stored, and runs some of the trials again. `config` is that of the store, or
/// asks for more trials.
RunTotals read_and_check(const fs::path& folder, const RunStore& store, const SweepConfig& config) {
  const std::int64_t stored = count_trials(store.stored());
  const std::int64_t interval = std::max<std::int64_t>(stored / kTrialsRunAgain, 1);
  RunTotals totals(config);
  Workspace workspace;
  SimulationResult result;
  std::int64_t n = 0;
  store.for_each([&](const TrialRow& row) {
    totals.add(row);
    if (n++ % interval != 0) return;
    if (identical(run_trial(config, row.index, workspace, result), row)) return;
    throw config_error(
        {folder.string()}, "",
        fmt::format("trial {} comes out differently in this program ({}, {}) than it is stored; "
                    "continue with the version that began the run, or start again with --force",
                    row.index, version(), git_commit()));
  });
  return totals;
}

OpenedRun resume(const fs::path& folder, const SweepConfig& config, Shard shard) {
  RunStore store = RunStore::open(folder / run_files::kStore, RunStore::Access::kWrite);
  check_engine(store);
  check_same_run(store, folder, config, shard);
  RunTotals totals = read_and_check(folder, store, config);
  if (config.trials_per_cell > store.config().trials_per_cell) store.extend(config.trials_per_cell);
  if (config.adaptive) store.extend_budget(config.adaptive->most_trials);
  store.set_robot(config.robot);
  return {std::move(store), std::move(totals)};
}

}  // namespace

OpenedRun open_run(const fs::path& folder, const SweepConfig& config, Shard shard,
                   ExistingRun existing) {
  const RunFolderState state = run_folder_state(folder);
  if (state == RunFolderState::kEmpty) return create(folder, config, shard);
  if (existing == ExistingRun::kOverwrite) {
    remove_run(folder);
    return create(folder, config, shard);
  }
  if (state == RunFolderState::kRemains) {
    throw config_error({folder.string()}, "",
                       fmt::format("holds files of a run without its {}; --force overwrites them, "
                                   "--out DIR writes elsewhere",
                                   run_files::kStore));
  }
  if (existing == ExistingRun::kRefuse) refuse(folder);
  return resume(folder, config, shard);
}

StoreProcess new_process(const SweepConfig& config, int ranks, int threads) {
  StoreProcess process;
  process.version = version();
  process.git_commit = git_commit();
  process.host = host_name();
  process.started_utc = utc_now();
  process.ranks = ranks;
  process.threads = threads;
  process.probe = probe_digest(config);
  return process;
}

}  // namespace graspmap
