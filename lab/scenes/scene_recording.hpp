#pragma once

#include <cstdint>
#include <vector>

#include "lab/scenes/sampling.hpp"
#include "lab/scenes/scene_overlap.hpp"
#include "sim/planar/simulate_scene.hpp"

namespace graspmap {

/// A state of a simulation that is kept, with the step that ended there.
struct SceneSample {
  PlanarState state;
  PlanarEnergy energy;
  std::vector<PlanarContact> contacts;  ///< none at the start
  double step_s = 0.0;                  ///< 0 at the start
  StepsSinceSample since;
  std::optional<BodyOverlap> overlap;  ///< see `deepest_overlap`
};

/// A simulation as it is written: samples at the start, after every `every` steps, and at the end.
struct SceneRecording {
  std::int64_t every = 1;
  std::vector<SceneSample> samples;
};

/// Keeps the samples of a run: the observer of `simulate_scene`.
class SceneRecorder {
 public:
  SceneRecorder(const PlanarScene& scene, double step_s, std::int64_t every)
      : scene_(scene), schedule_(step_s, every) {
    recording_.every = every;
  }

  /// A state, and the step that led to it; none at the start. Of a step that was halved the last
  /// part is kept.
  void observe(const PlanarState& state, const PlanarStep* step);

  /// The recording with the last state that was observed as its end.
  SceneRecording finish();

 private:
  void keep();

  const PlanarScene& scene_;
  SampleSchedule schedule_;
  SceneRecording recording_;
  SceneSample last_;
  double last_time_s_ = 0.0;
  bool last_is_kept_ = true;
};

/// How a contact holds at the end of a step.
enum class ContactHold : std::uint8_t {
  kOpen,      ///< no force acts
  kSticking,  ///< |p_t| < mu p_n
  kSliding    ///< |p_t| = mu p_n
};
const char* name(ContactHold hold);

/// How contact `k` of a sample holds. Impulses of less than 1e-9 of the sample's largest count as
/// none.
ContactHold contact_hold(const SceneSample& sample, std::size_t k);

}  // namespace graspmap
