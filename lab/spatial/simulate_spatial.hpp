#pragma once

#include "lab/spatial/snapshot.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// Runs a scene from its start, see `run_steps`.
SceneRun simulate_spatial(const SpatialScene& scene, SpatialStepper& stepper,
                          const SceneRunSettings& settings, const SnapshotObserver& observer);

}  // namespace graspmap
