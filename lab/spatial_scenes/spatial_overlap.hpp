#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scenes/scene_report.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// Looks for overlaps in all pairs of bodies that may touch, whatever contacts a step took into
/// account.
class OverlapFinder {
 public:
  explicit OverlapFinder(const SpatialSceneFile& file);

  /// Bodies a < b that have contacts when they meet.
  [[nodiscard]] const std::vector<std::pair<int, int>>& pairs() const { return pairs_; }

  /// The deepest overlap, beyond soft layers; nothing when all are below 1e-6 of the bodies' size.
  /// `poses` by body.
  [[nodiscard]] std::optional<BodyOverlap> deepest(const std::vector<Pose3>& poses) const;

 private:
  std::vector<Solid> solids_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<double> lawful_mm_;  ///< how deep a pair's soft layers let it overlap
};

/// Refuses a scene whose bodies overlap at the start, or whose closures are open by more than 1e-3
/// mm. Throws ConfigError.
void check_start(const TomlTable& document, const SpatialSceneFile& file);

}  // namespace graspmap
