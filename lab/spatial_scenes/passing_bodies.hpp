#pragma once

#include <optional>
#include <vector>

#include "lab/scenes/scene_report.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// Looks for passing bodies in a run of rigid bodies: at all pairs of bounded bodies that touch
/// each other and are near. (Half-spaces let nothing through.)
class PassingFinder {
 public:
  explicit PassingFinder(const SpatialSceneFile& file);

  void observe(const SpatialSnapshot& snapshot);
  /// The first such pair.
  [[nodiscard]] const std::optional<PassingBodies>& found() const { return found_; }

 private:
  struct Pair {
    int body_a = 0;
    int body_b = 0;
    double thickness_mm = 0.0;
    double reach_mm = 0.0;  ///< of the bounding spheres
  };

  std::vector<Pair> pairs_;
  std::vector<Pose3> last_;
  std::optional<PassingBodies> found_;
};

}  // namespace graspmap
