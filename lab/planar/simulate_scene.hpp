#pragma once

#include <functional>
#include <vector>

#include "lab/planar/stepper.hpp"
#include "lab/scene_model/snapshot.hpp"

namespace graspmap {

/// Called at the start (with no step) and after each solved step; returns false to end the run.
using SceneObserver = std::function<bool(const PlanarState&, const PlanarStep*)>;

/// Runs a scene from its start, see `run_steps`.
SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer);

/// A snapshot of bodies in the plane.
struct PlanarSnapshot : SceneSnapshot {
  std::vector<Vec3> poses;              ///< by body: x mm, y mm, theta rad
  std::vector<Vec3> velocities;         ///< by body: mm/s, mm/s, rad/s
  std::vector<PlanarContact> contacts;  ///< that took part in the step; none at the start
};

/// Sees the start and each solved step; returns false to end the run.
using PlanarSnapshotObserver = std::function<bool(const PlanarSnapshot&)>;

/// Runs a scene from its start and shows snapshots, see `run_steps`.
SceneRun simulate_planar(const PlanarScene& scene, PlanarStepper& stepper,
                         const SceneRunSettings& settings, const PlanarSnapshotObserver& observer);

}  // namespace graspmap
