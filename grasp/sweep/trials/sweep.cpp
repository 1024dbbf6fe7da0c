#include "grasp/sweep/trials/sweep.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <chrono>

#include "grasp/sweep/trials/chunk_pacer.hpp"
#include "grasp/sweep/trials/thread_handover.hpp"

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

constexpr double kChunk_s = 0.02;
constexpr std::int64_t kFirstChunkTrials = 4;
constexpr std::int64_t kMostChunkTrials = 1024;

/// The memory of one thread.
struct TrialMemory {
  Workspace workspace;
  SimulationResult result;
};

void run_chunk(TrialChunk& chunk, TrialCounters* counters, const RowFunction& trial,
               TrialMemory& memory) {
  chunk.rows.reserve(static_cast<std::size_t>(count_trials(chunk.ranges)));
  for (const TrialRange& range : chunk.ranges) {
    for (std::int64_t index = range.first; index < range.end; ++index) {
      chunk.rows.push_back(trial(index, memory.workspace, memory.result));
      if (counters != nullptr) counters->add(chunk.rows.back().outcome);
    }
  }
}

/// One thread's work: chunks until there are no more.
void work_on_chunks(ChunkQueue& queue, TrialCounters* counters, const RowFunction& trial) {
  TrialMemory memory;
  ChunkPacer pacer(kChunk_s, kFirstChunkTrials, kMostChunkTrials);
  try {
    while (TrialChunk* chunk = queue.claim(pacer.trials())) {
      const auto start = std::chrono::steady_clock::now();
      const std::int64_t trials = count_trials(chunk->ranges);
      run_chunk(*chunk, counters, trial, memory);
      queue.deliver(*chunk);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      pacer.took(trials, elapsed.count());
    }
  } catch (...) {
    queue.close();
    throw;
  }
}

struct GiveAtEnd {
  GiveAtEnd() = default;
  ~GiveAtEnd() { ThreadHandover::give(); }
  GiveAtEnd(const GiveAtEnd&) = delete;
  GiveAtEnd& operator=(const GiveAtEnd&) = delete;
};

/// Calls `work` on each of several threads.
void on_threads(int requested_threads, const std::function<void()>& work) {
  const int threads = thread_count(requested_threads);
  // Allows more threads than the machine has, if somebody asks for them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 0; i < threads; ++i) {
      tbb::task_handle task = group.defer([&work] {
        ThreadHandover::receive();
        const GiveAtEnd end;  // after an exception too
        work();
      });
      ThreadHandover::give();
      group.run(std::move(task));
    }
    group.wait();
    ThreadHandover::receive();
  });
}

}  // namespace

void TrialCounters::add(const CellCounts& counts) {
  for (const Outcome outcome : kOutcomes) add(outcome, counts.count(outcome));
}

CellCounts TrialCounters::snapshot() const {
  CellCounts counts;
  std::transform(by_outcome.begin(), by_outcome.end(), counts.by_outcome.begin(),
                 [](const auto& count) { return count.load(std::memory_order_relaxed); });
  return counts;
}

int thread_count(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

std::int64_t run_trials(std::int64_t count, const SweepControl& control,
                        const TrialFunction& trial) {
  IndexQueue queue(count, control.stop);
  on_threads(control.threads, [&] { run_queue(queue, control.counters, trial); });
  return queue.taken();
}

RowFunction sweep_trials(const SweepConfig& config) {
  return [&config](std::int64_t index, Workspace& workspace, SimulationResult& result) {
    return run_trial(config, index, workspace, result);
  };
}

void run_chunks(ChunkQueue& queue, const SweepControl& control, const RowFunction& trial) {
  on_threads(control.threads, [&] { work_on_chunks(queue, control.counters, trial); });
}

}  // namespace graspmap
