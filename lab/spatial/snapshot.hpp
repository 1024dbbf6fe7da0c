#pragma once

#include <functional>
#include <vector>

#include "lab/scene_model/snapshot.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// A snapshot of rigid bodies in space or of an articulated system.
struct SpatialSnapshot : SceneSnapshot {
  std::vector<Pose3> poses;              ///< by body, of an articulated system by link and obstacle
  std::vector<Twist> velocities;         ///< likewise
  std::vector<Vec3> joints_mm;           ///< of rigid bodies by joint; of links by link its joint
  std::vector<SpatialContact> contacts;  ///< none at the start
  std::vector<Twist> joint_impulses;     ///< of rigid bodies: see `SpatialState`
};

/// Sees the start and each solved step; returns false to end the run.
using SnapshotObserver = std::function<bool(const SpatialSnapshot&)>;

}  // namespace graspmap
