#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/scenes/scene_recording.hpp"
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

using SpatialSample = SceneSample<SpatialSnapshot>;
using SpatialRecording = SceneRecording<SpatialSnapshot>;
using SpatialResult = SceneResult<SpatialSnapshot>;

/// Keeps the samples of a run in space: the observer of `simulate`.
class SpatialRecorder : public SceneRecorder<SpatialSnapshot> {
 public:
  using Result = SpatialResult;
  SpatialRecorder(const SpatialSceneFile& file, std::int64_t every);

  void observe(const SpatialSnapshot& snapshot);
  SpatialRecording finish();

 private:
  PassingFinder passing_;
};

/// The largest speed (mm/s) of a sample's bodies.
double fastest_mm_s(const SpatialSnapshot& snapshot);

/// How a contact of a snapshot holds: open when its patch is or no impulse acts, sliding when sigma
/// is above 1e-6 of the fastest body's speed, or of 1 mm/s if that is more.
ContactHold contact_hold(const SpatialSnapshot& snapshot, std::size_t k);

/// Describes a scene for summaries, warnings and figures.
SceneFacts facts_of(const SpatialSceneFile& file);

/// Describes its tables; keeps the file by reference.
SceneTables<SpatialSnapshot> tables_of(const SpatialSceneFile& file);

}  // namespace graspmap
