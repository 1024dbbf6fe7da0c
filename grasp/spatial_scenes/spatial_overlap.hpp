#pragma once

#include <optional>
#include <vector>

#include "grasp/scenes/scene_report.hpp"
#include "grasp/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// Whether two bodies of a scene have contacts at all.
bool may_touch(const SpatialSceneFile& file, int body_a, int body_b);

/// The deepest overlap of two bodies that may touch; nothing when all are below 1e-6 of the bodies'
/// size. Looks at all pairs, whatever contacts a step took into account. `poses` by body.
std::optional<BodyOverlap> deepest_overlap(const SpatialSceneFile& file,
                                           const std::vector<Pose3>& poses);

}  // namespace graspmap
