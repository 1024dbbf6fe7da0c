#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>

#include "grasp/sweep/trials/chunk_queue.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// How far the trials are: written by the threads that run them, read by whoever watches.
struct TrialCounters {
  std::array<std::atomic<std::int64_t>, kOutcomeCount> by_outcome{};

  void add(Outcome outcome, std::int64_t trials = 1) {
    by_outcome[static_cast<std::size_t>(outcome)].fetch_add(trials, std::memory_order_relaxed);
  }
  void add(const CellCounts& counts);
  /// The counts by now. Trials that end meanwhile are in or not.
  [[nodiscard]] CellCounts snapshot() const;
};

/// How trials are run.
struct SweepControl {
  int threads = 0;                         ///< 0: as many as the machine has
  const std::atomic<int>* stop = nullptr;  ///< no new trial begins once this is not zero
  TrialCounters* counters = nullptr;       ///< counts the trials as they end
};

/// The number of threads that `threads` stands for: itself, or for 0 what the machine has.
int thread_count(int threads);

/// One trial: everything that it needs is its index and one thread's memory.
using TrialFunction =
    std::function<Outcome(std::int64_t index, Workspace& workspace, SimulationResult& result)>;

/// Runs trials 0, 1, ..., count - 1 on several threads, begun in the order of the index. Returns
/// how many were run: count, or fewer when it was stopped; the trials that were run are always the
/// first ones, without a gap. An exception of `trial` stops the others and is thrown on.
std::int64_t run_trials(std::int64_t count, const SweepControl& control,
                        const TrialFunction& trial);

/// One trial of a sweep as its row.
using RowFunction =
    std::function<TrialRow(std::int64_t index, Workspace& workspace, SimulationResult& result)>;

/// The trials of a configuration, which must outlive the function.
RowFunction sweep_trials(const SweepConfig& config);

/// Runs chunks of a queue on several threads until there are no more. Chunks are small enough that
/// one takes some 20 ms, whatever a trial takes. An exception of `trial` closes the queue and is
/// thrown on. The queue's stop flag is the one that counts.
void run_chunks(ChunkQueue& queue, const SweepControl& control, const RowFunction& trial);

}  // namespace graspmap
