#pragma once

#include <functional>
#include <vector>

#include "sim/scenes/scene_run.hpp"
#include "sim/spatial/scene.hpp"

namespace graspmap {

/// The start or a solved step of a run in space, of rigid bodies or of an articulated system, as it
/// is written and drawn.
struct SpatialSnapshot {
  double time_s = 0.0;
  double step_s = 0.0;            ///< of the step that ended here; 0 at the start
  std::vector<Pose3> poses;       ///< by body, of an articulated system by link and obstacle
  std::vector<Twist> velocities;  ///< likewise
  std::vector<Vec3> joints_mm;    ///< of an articulated system: by link its joint; else empty
  std::vector<SpatialContact> contacts;  ///< none at the start
  SpatialEnergy energy;
  double contact_work_j = 0.0;  ///< of an articulated system: of the step's contact impulses
  int iterations = 0;
  int unknowns = 0;
  double residual = 0.0;
};

/// Sees the start and each solved step; returns false to end the run.
using SnapshotObserver = std::function<bool(const SpatialSnapshot&)>;

}  // namespace graspmap
