#pragma once

#include <filesystem>

#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/run_totals.hpp"

namespace graspmap {

/// What to do with a run that is already in the folder.
enum class ExistingRun {
  kRefuse,
  kOverwrite,
  kResume  ///< go on with it, and extend it when more trials per cell are asked for
};

/// A store that is ready to be gone on with, and what its trials add up to so far.
struct OpenedRun {
  RunStore store;
  RunTotals totals;
};

/// Opens the store of a run folder for writing, new or as it is. The folder must exist and be
/// locked by the caller. A run that is resumed must have the same configuration, but for fewer
/// trials per cell (an adaptive one: but for a smaller budget), and the same shard; and this
/// program must give, to the last bit, the trials that are stored: some are run again to see.
/// Throws ConfigError, IoError.
OpenedRun open_run(const std::filesystem::path& folder, const SweepConfig& config, Shard shard,
                   ExistingRun existing);

}  // namespace graspmap
