#pragma once

#include <vector>

#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap::testing {

/// The rows of a queue's trials, run on several threads.
inline std::vector<TrialRow> run_all(ChunkQueue& queue, int threads, const RowFunction& trial) {
  run_chunks(queue, threads, trial);
  queue.close();
  std::vector<TrialRow> rows;
  while (queue.take(rows, SIZE_MAX, 0)) {
  }
  return rows;
}

/// All rows of a sweep, of fewer trials than a queue's window.
inline std::vector<TrialRow> sweep_rows(const SweepConfig& config, int threads = 2) {
  ChunkQueue queue({{0, config.trials()}}, nullptr);
  return run_all(queue, threads, sweep_trials(config));
}

}  // namespace graspmap::testing
