#pragma once

#include <functional>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/run_totals.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Runs the trials that a store misses and stores them. Ends when all are there, or the rule of an
/// adaptive run stops it, or control.stop is set: then the trials that had begun are stored too.
/// `totals` are those of the stored trials and grow with them. Throws IoError when the store cannot
/// be written; what was stored before stays.
void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial);

/// The same with a queue that the caller fills. `run_queue` runs its chunks, on any threads or
/// machines, and returns when no more will be delivered. What it throws is thrown on, after what
/// was delivered is stored.
void run_stored_sweep(RunStore& store, RunTotals& totals, ChunkQueue& queue,
                      const std::function<void()>& run_queue);

}  // namespace graspmap
