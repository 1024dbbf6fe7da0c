#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"

namespace graspmap {

/// Refuses a scene whose sizes, masses or motions at the start are too far from each other or from
/// the step, see find_scale_fault. Throws ConfigError.
void check_scales(const TomlTable& document, const SpatialSceneFile& file);

}  // namespace graspmap
