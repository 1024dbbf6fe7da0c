#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_report.hpp"
#include "lab/spatial/stepper.hpp"
#include "lab/spatial_scenes/articulated_scene_reader.hpp"
#include "lab/spatial_scenes/rigid_scene_reader.hpp"

namespace graspmap {

/// A body as snapshots number it, to draw and to name.
struct SceneSolid {
  std::string name;
  Solid solid;  ///< of a link its ball, or a sphere of radius 0 without one
  bool is_fixed = false;
};

/// A scene in space as a person describes it, checked: what moves, and how it is to be simulated.
struct SpatialSceneFile {
  std::string name;  ///< of the file, without its folder and ".toml"
  std::string title;
  std::string toml;  ///< the file's text; with overrides the document that they made of it
  SceneRunSettings run;
  std::vector<SceneSolid> bodies;  ///< of an articulated system the links, then the obstacles
  std::variant<RigidScene, ArticulatedScene> simulated;

  [[nodiscard]] bool is_articulated() const {
    return std::holds_alternative<ArticulatedScene>(simulated);
  }
  /// Throws std::bad_variant_access for a scene of the other kind.
  [[nodiscard]] const RigidScene& rigid() const { return std::get<RigidScene>(simulated); }
  [[nodiscard]] const ArticulatedScene& articulated() const {
    return std::get<ArticulatedScene>(simulated);
  }
};

/// Reads and checks a scene in space, docs/lab/scenes.md "Scenes in space". Throws
/// ConfigError, also for a planar document.
SpatialSceneFile read_spatial_scene(const SceneDocument& document);

/// The keys that reading a scene of any kind asks for, until an error.
std::vector<AskedKey> keys_asked_by_scene(const SceneDocument& document);

/// The same as `read_spatial_scene` for a file (TOML). `overrides` as for `read_sweep_config`.
SpatialSceneFile read_spatial_scene_file(const std::filesystem::path& file,
                                         const std::vector<std::string>& overrides);

/// Runs a scene from its start to its end, with its own stepper or contact solver.
SceneRun simulate(const SpatialSceneFile& file, const SnapshotObserver& observer);

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
