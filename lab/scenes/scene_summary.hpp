#pragma once

#include <string>

#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_recording.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

/// A simulation with what it took.
struct SceneResult : SceneOutcome {
  SceneRecording recording;

  /// Of equally deep ones the first.
  [[nodiscard]] std::optional<SampledOverlap> deepest() const;
};

/// See `overlap_warning` in scene_report.hpp.
std::optional<std::string> overlap_warning(const SceneFile& file, const SceneResult& result);

/// See `failure_text` in scene_report.hpp.
std::string failure_text(const SceneFile& file, const SceneRunFailure& failure);

/// What is printed after a simulation.
std::string scene_summary_text(const SceneFile& file, const SceneResult& result);

/// summary.json.
std::string scene_summary_json(const SceneFile& file, const SceneResult& result);

}  // namespace graspmap
