#pragma once

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// This program, from now on, as one that adds trials of a configuration to a run. `threads` are
/// those of all its `processes` together.
StoreSession new_session(const SweepConfig& config, int processes, int threads);

}  // namespace graspmap
