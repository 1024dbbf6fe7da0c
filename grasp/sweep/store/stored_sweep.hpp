#pragma once

#include <filesystem>
#include <functional>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Runs the trials that a store misses and stores them. Ends when all are there, or the rule of an
/// adaptive run stops it, or control.stop is set: then the trials that had begun are stored too.
/// `totals` are those of the stored trials and grow with them, as control.counters do: what they
/// count no crash loses. Throws IoError when the store cannot be written; what was stored before
/// stays.
void run_stored_sweep(RunStore& store, RunTotals& totals, const SweepControl& control,
                      const RowFunction& trial);

/// The same with a queue that the caller fills. `run_queue` runs its chunks, on any threads or
/// machines, and returns when no more will be delivered. What it throws is thrown on, after what
/// was delivered is stored.
void run_stored_sweep(RunStore& store, RunTotals& totals, ChunkQueue& queue,
                      TrialCounters* counters, const std::function<void()>& run_queue);

/// What to do with a run that is already in the folder.
enum class ExistingRun {
  kRefuse,
  kOverwrite,
  kResume  ///< continue it, and extend it when more trials per cell are asked for
};

/// A store that is ready to be gone on with, and what its trials add up to so far.
struct OpenedRun {
  RunStore store;
  RunTotals totals;
};

/// Opens the store of a run folder for writing, new or as it is. The folder must exist and be
/// locked by the caller. A run that is resumed must have the same configuration, except for
/// fewer trials per cell (an adaptive one: a smaller budget), and the same shard; and this
/// program must give, to the last bit, the trials that are stored: some are run again to see.
/// Throws ConfigError, IoError.
OpenedRun open_run(const std::filesystem::path& folder, const SweepConfig& config, Shard shard,
                   ExistingRun existing);

/// This program, from now on, as one that adds trials of a configuration to a run. `threads` are
/// those of all its `ranks` together.
StoreProcess new_process(const SweepConfig& config, int ranks, int threads);

}  // namespace graspmap
