#pragma once

#include <vector>

#include "geometry/types.hpp"

namespace graspmap {

/// How a part lies in the gripper's frame G: where its centre of mass is, seen from the squeeze
/// point (squeeze_map.hpp), and its angle.
struct LyingPose {
  Vec2 center_mm = Vec2::Zero();
  double angle_rad = 0.0;
};

/// Which poses count as one.
struct SamePose {
  double period_rad = 0.0;  ///< > 0: angles that differ by it are the same
  /// The period is half a turn because the jaws are alike: a pose is then the same as the one
  /// turned by it about the squeeze point. Otherwise the part looks the same after a turn about its
  /// centre of mass, and is the nearer of both.
  bool of_jaws = true;
  double within_rad = 0.0;  ///< > 0: the largest distances from the pose they are counted for
  double within_mm = 0.0;   ///< > 0
};

/// The pose that is the same as `pose` and nearest to `reference`.
LyingPose nearest_same(LyingPose pose, const LyingPose& reference, const SamePose& same);

/// True for a pose that counts as `reference`.
bool is_same(const LyingPose& pose, const LyingPose& reference, const SamePose& same);

/// A pose of a cloud. Lost ones stay in it: no pose is theirs.
struct WeightedPose {
  LyingPose pose;
  double weight = 1.0;  ///< > 0
  bool lost = false;    ///< the trial has ended before
  int draw = 0;         ///< of friction and uncertain numbers
};
using PoseCloud = std::vector<WeightedPose>;

/// A pose and the share of a cloud that counts as it.
struct PoseCluster {
  LyingPose pose;
  double share = 0.0;
};

/// The cluster with the largest share about a pose of the cloud, its pose moved to the mean where
/// that keeps the share. Cost: of order n k for n poses of which k are near in angle.
PoseCluster largest_cluster(const PoseCloud& cloud, const SamePose& same);

/// How far the poses of a cloud lie from one, as root mean squares.
struct PoseSpread {
  double angle_rad = 0.0;
  double position_mm = 0.0;
};
PoseSpread spread_about(const PoseCloud& cloud, const LyingPose& pose, const SamePose& same);

}  // namespace graspmap
