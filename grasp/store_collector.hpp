#pragma once

#include <chrono>
#include <vector>

#include "grasp/chunk_queue.hpp"
#include "grasp/run_store.hpp"
#include "grasp/run_totals.hpp"

namespace graspmap {

/// Moves rows from a queue into a store, in blocks: one when kMostBlockTrials rows are there, or
/// the last block is half a second old.
class StoreCollector {
 public:
  /// The store's session must have begun. Rows that are stored are added to `totals`.
  StoreCollector(ChunkQueue& queue, RunStore& store, RunTotals& totals)
      : queue_(queue), store_(store), totals_(totals) {}

  /// Works until the queue is closed and empty. On an error of the store the queue is closed, the
  /// rows that are not stored are lost, and the error is thrown on.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void collect();
  [[nodiscard]] bool is_due() const;
  void flush();

  ChunkQueue& queue_;
  RunStore& store_;
  RunTotals& totals_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_flush_ = start_;
  std::vector<TrialRow> rows_;
};

}  // namespace graspmap
