#pragma once

#include <functional>

#include "sim/planar/stepper.hpp"
#include "sim/scenes/scene_run.hpp"

namespace graspmap {

/// Called at the start (with no step) and after each solved step; returns false to end the run.
using SceneObserver = std::function<bool(const PlanarState&, const PlanarStep*)>;

/// Runs a scene from its start, see `run_steps`.
SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer);

}  // namespace graspmap
