#pragma once

#include <string>

#include "grasp/scenes/scene_reader.hpp"
#include "grasp/scenes/scene_recording.hpp"

namespace graspmap {

/// How a simulation ended.
enum class SceneEnd : std::uint8_t { kFinished, kFailed, kInterrupted };

/// The deepest overlap of all samples.
struct SampledOverlap {
  BodyOverlap overlap;
  double time_s = 0.0;
};

/// A simulation with what it took.
struct SceneResult {
  SceneRun run;
  SceneRecording recording;
  double wall_time_s = 0.0;
  bool interrupted = false;

  [[nodiscard]] SceneEnd end() const;
  /// Of equally deep ones the first.
  [[nodiscard]] std::optional<SampledOverlap> deepest() const;
};

/// What to say when bodies are deeper in each other than a hundredth of the smaller one's size:
/// contacts were missed, or the steps were too large for them. Nothing when all is well.
std::optional<std::string> overlap_warning(const PlanarScene& scene, const SceneResult& result);

/// "disc and floor", the bodies of a contact.
std::string bodies_text(const PlanarScene& scene, const std::array<int, 2>& bodies);

/// One line on the step that could not be solved: time, size, status, contact and residual.
std::string failure_text(const PlanarScene& scene, const SceneRunFailure& failure);

/// What is printed after a simulation.
std::string scene_summary_text(const SceneFile& file, const SceneResult& result);

/// summary.json.
std::string scene_summary_json(const SceneFile& file, const SceneResult& result);

}  // namespace graspmap
