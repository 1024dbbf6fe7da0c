#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "grasp/success_map.hpp"
#include "grasp/trial.hpp"

namespace graspmap {

/// How far the trials are: written by the threads that run them, read by whoever watches.
struct TrialCounters {
  std::array<std::atomic<std::int64_t>, kOutcomeCount> by_outcome{};

  void add(Outcome outcome) {
    by_outcome[static_cast<std::size_t>(outcome)].fetch_add(1, std::memory_order_relaxed);
  }
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

/// Runs a sweep. Returns the rows in the order of the index: all config.trials(), or the first ones
/// when it was stopped. They depend on the configuration only, not on the number of threads.
std::vector<TrialRow> run_sweep(const SweepConfig& config, const SweepControl& control);

/// The map of some trials of a sweep.
SuccessMap success_map(const SweepConfig& config, const std::vector<TrialRow>& rows);

}  // namespace graspmap
