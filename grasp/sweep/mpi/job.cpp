#include "grasp/sweep/mpi/job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/process/background_task.hpp"
#include "grasp/sweep/mpi/dispatcher.hpp"
#include "grasp/sweep/mpi/worker.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"

namespace graspmap {
namespace {

void check_builds(const std::vector<RankInfo>& ranks) {
  const int other = rank_of_other_build(ranks);
  if (other == 0) return;
  throw ConfigError(fmt::format(
      "{} runs graspmap {}, rank 0 {}; all must run the same, or the trials are not the same bits",
      rank_name(ranks, other), ranks[static_cast<std::size_t>(other)].build, ranks.front().build));
}

/// A few trials, evenly spread, as they come out here.
std::vector<TrialRow> probes(const SweepConfig& config, TrialRange trials) {
  constexpr std::int64_t kProbes = 8;
  Workspace workspace;
  SimulationResult result;
  std::vector<TrialRow> rows;
  const std::int64_t interval = std::max<std::int64_t>(trials.trials() / kProbes, 1);
  for (std::int64_t index = trials.first; index < trials.end; index += interval) {
    rows.push_back(run_trial(config, index, workspace, result));
  }
  return rows;
}

}  // namespace

std::int64_t window_trials(int all_threads) {
  constexpr std::int64_t kTrialsPerThread = 8192;
  constexpr std::int64_t kMostTrials = 1'048'576;
  return std::clamp(kTrialsPerThread * all_threads, kDefaultWindow, kMostTrials);
}

MpiJob::MpiJob() : ranks_(exchange_ranks(world_)) {
  if (leads()) check_builds(ranks_);
}

MpiJob::~MpiJob() {
  try {
    if (leads()) dismiss();
  } catch (const std::exception&) {
    world_.abandon();  // the launcher ends the others
  }
}

void MpiJob::work() { work_for_rank_0(world_, ranks_); }

int MpiJob::threads_of(int rank, int threads) const {
  if (threads > 0) return threads;
  return processes() == 1 ? thread_count(0) : default_threads(ranks_, rank);
}

int MpiJob::all_threads(int threads) const {
  int sum = 0;
  for (int rank = 0; rank < processes(); ++rank) sum += threads_of(rank, threads);
  return sum;
}

std::string MpiJob::text(int threads) const {
  const int hosts = count_hosts(ranks_);
  return fmt::format("{} ranks on {} host{}, {} threads", processes(), hosts, hosts == 1 ? "" : "s",
                     all_threads(threads));
}

void MpiJob::run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control) {
  if (processes() > 1) return run_on_all(store, totals, control);
  graspmap::run_stored_sweep(store, totals, control, sweep_trials(store.config()));
}

void MpiJob::run_on_all(RunStore& store, RunTotals& totals, const SweepControl& control) {
  std::vector<int> threads;
  for (int rank = 0; rank < processes(); ++rank) {
    threads.push_back(threads_of(rank, control.threads));
  }
  const std::int64_t window = window_trials(all_threads(control.threads));
  std::atomic<int> halt{0};
  ChunkQueue queue(&halt, window);
  MpiDispatcher dispatcher(world_, ranks_, threads, store.config().placement, queue, window,
                           control, halt);
  const BeginMessage begin_message{control.threads, store.config_toml(),
                                   probes(store.config(), store.asked())};
  graspmap::run_stored_sweep(store, totals, queue, [&] {
    BackgroundTask own_trials([&] {
      run_chunks(queue, {threads.front(), nullptr, control.counters}, sweep_trials(store.config()));
    });
    begun_ = true;
    dispatcher.run(begin_message);
    own_trials.finish();
  });
}

void MpiJob::dismiss() {
  if (dismissed_) return;
  dismissed_ = true;
  for (int rank = 1; rank < processes() && !begun_; ++rank) world_.send(rank, kTagEnd, {});
  world_.leave();
}

}  // namespace graspmap
