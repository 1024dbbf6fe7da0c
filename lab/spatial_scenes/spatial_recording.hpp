#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/scenes/sampling.hpp"
#include "lab/scenes/scene_recording.hpp"
#include "lab/scenes/scene_report.hpp"
#include "lab/spatial_scenes/passing_bodies.hpp"
#include "lab/spatial_scenes/spatial_overlap.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// A state of a simulation in space that is kept, with the step that ended there.
struct SpatialSample {
  SpatialSnapshot shown;
  StepsSinceSample since;
  double contact_work_j = 0.0;         ///< of an articulated system: since the sample before
  std::optional<BodyOverlap> overlap;  ///< see `OverlapFinder`
};

/// A simulation as it is written: samples at the start, after every `every` steps, and at the end.
struct SpatialRecording {
  std::int64_t every = 1;
  std::vector<SpatialSample> samples;
  std::optional<PassingBodies> passing;  ///< of all steps, also those that are not kept
};

/// A simulation in space with what it took.
struct SpatialResult : SceneOutcome {
  SpatialRecording recording;

  /// Of equally deep ones the first.
  [[nodiscard]] std::optional<SampledOverlap> deepest() const;
};

/// Keeps the samples of a run: the observer of `simulate`. Of a step that was halved the last part
/// is kept.
class SpatialRecorder {
 public:
  SpatialRecorder(const SpatialSceneFile& file, std::int64_t every)
      : overlaps_(file), passing_(file), schedule_(file.run.step_s, every) {
    recording_.every = every;
  }

  void observe(const SpatialSnapshot& snapshot);

  /// The recording with the last state that was observed as its end.
  SpatialRecording finish();

 private:
  void keep();

  OverlapFinder overlaps_;
  PassingFinder passing_;
  SampleSchedule schedule_;
  SpatialRecording recording_;
  SpatialSample last_;
  bool last_is_kept_ = true;
};

/// The largest speed (mm/s) of a sample's bodies.
double fastest_mm_s(const SpatialSnapshot& snapshot);

/// How a contact of a snapshot holds: open when its patch is or no impulse acts, sliding when sigma
/// is above 1e-6 of the fastest body's speed, or of 1 mm/s if that is more.
ContactHold contact_hold(const SpatialSnapshot& snapshot, std::size_t k);

}  // namespace graspmap
