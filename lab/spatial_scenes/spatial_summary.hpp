#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// "implicit", "mncp-rlm": what steps the scene.
std::string solver_name(const SpatialSceneFile& file);

/// See `overlap_warning` in scene_report.hpp; without a deep overlap, that bodies may have passed
/// through each other.
std::optional<std::string> overlap_warning(const SpatialSceneFile& file,
                                           const SpatialResult& result);

/// See `failure_text` in scene_report.hpp.
std::string failure_text(const SpatialSceneFile& file, const SceneRunFailure& failure);

/// What is printed after a simulation.
std::string scene_summary_text(const SpatialSceneFile& file, const SpatialResult& result);

/// summary.json.
std::string scene_summary_json(const SpatialSceneFile& file, const SpatialResult& result);

/// Writes the files of a simulation in space, all or none but for a crash in between, the summary
/// last. Throws IoError.
void write_scene_files(const std::filesystem::path& folder, const SpatialSceneFile& file,
                       const SpatialResult& result);

}  // namespace graspmap
