#pragma once

#include <chrono>
#include <vector>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/run_totals.hpp"
#include "grasp/sweep/trials/chunk_queue.hpp"

namespace graspmap {

/// Gives a queue the trials that a store misses and moves their rows into the store: when
/// kMostBlockTrials rows are there, or the last were stored half a second ago. The trials of an
/// adaptive run come round by round: the next one when all rows of the last one are stored.
class StoreCollector {
 public:
  /// The queue must be one to which trials are added, and have none; the store's session must have
  /// begun. `totals` are those of the stored trials; rows that are stored are added to them.
  StoreCollector(ChunkQueue& queue, RunStore& store, RunTotals& totals)
      : queue_(queue), store_(store), totals_(totals) {}

  /// Works until the queue is closed and empty. On an error of the store the queue is closed, the
  /// rows that are not stored are lost, and the error is thrown on.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void collect();
  void add_round();
  [[nodiscard]] bool is_due() const;
  void flush();

  ChunkQueue& queue_;
  RunStore& store_;
  RunTotals& totals_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_flush_ = start_;
  std::vector<TrialRow> rows_;
  std::int64_t awaited_ = 0;  ///< trials that the queue was given and that are not stored
};

}  // namespace graspmap
