#include "grasp/sweep.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>

namespace graspmap {
namespace {

/// Hands out the indices 0, 1, ... in order, each once. An index that was taken is always run, so
/// the trials that were run are the first ones.
class IndexQueue {
 public:
  IndexQueue(std::int64_t count, const std::atomic<int>* stop) : count_(count), stop_(stop) {}

  bool take(std::int64_t& index) {
    if (aborted_.load(std::memory_order_relaxed)) return false;
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed) != 0) return false;
    index = next_.fetch_add(1, std::memory_order_relaxed);
    return index < count_;
  }

  void abort() { aborted_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t taken() const { return std::min(next_.load(), count_); }

 private:
  std::int64_t count_;
  const std::atomic<int>* stop_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> aborted_{false};
};

/// One thread's work: trials until there are no more.
void run_queue(IndexQueue& queue, TrialCounters* counters, const TrialFunction& trial) {
  Workspace workspace;
  SimulationResult result;
  std::int64_t index = 0;
  try {
    while (queue.take(index)) {
      const Outcome outcome = trial(index, workspace, result);
      if (counters != nullptr) counters->add(outcome);
    }
  } catch (...) {
    queue.abort();
    throw;
  }
}

}  // namespace

CellCounts TrialCounters::snapshot() const {
  CellCounts counts;
  std::transform(by_outcome.begin(), by_outcome.end(), counts.by_outcome.begin(),
                 [](const auto& count) { return count.load(std::memory_order_relaxed); });
  return counts;
}

int thread_count(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

std::int64_t run_trials(std::int64_t count, const SweepControl& control,
                        const TrialFunction& trial) {
  const int threads = thread_count(control.threads);
  // Allows more threads than the machine has, if somebody asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  IndexQueue queue(count, control.stop);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 0; i < threads; ++i) group.run([&] { run_queue(queue, control.counters, trial); });
    group.wait();
  });
  return queue.taken();
}

std::vector<TrialRow> run_sweep(const SweepConfig& config, const SweepControl& control) {
  std::vector<TrialRow> rows(static_cast<std::size_t>(config.trials()));
  const TrialFunction trial = [&](std::int64_t index, Workspace& workspace,
                                  SimulationResult& result) {
    TrialRow& row = rows[static_cast<std::size_t>(index)];
    row = run_trial(config, index, workspace, result);
    return row.outcome;
  };
  const std::int64_t done = run_trials(config.trials(), control, trial);
  rows.resize(static_cast<std::size_t>(done));
  return rows;
}

SuccessMap success_map(const SweepConfig& config, const std::vector<TrialRow>& rows) {
  SuccessMap map(config.placement.x, config.placement.y);
  for (const TrialRow& row : rows) map.add(row.cell_x, row.cell_y, row.outcome);
  return map;
}

}  // namespace graspmap
