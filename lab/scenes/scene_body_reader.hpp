#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/planar/scene.hpp"

namespace graspmap {

/// The bodies of one [[body]] of a scene file: one, or those of its grid, which have the name with
/// _1, _2, ... behind it.
struct SceneBlock {
  std::string name;
  std::vector<int> bodies;  ///< indices into PlanarScene::bodies, ascending
};

/// Reads the [[body]] tables of a scene into the scene: bodies, their coordinates, velocities at
/// the start, and constant forces as drives. Throws ConfigError.
std::vector<SceneBlock> read_scene_bodies(const std::vector<TomlTable>& tables, PlanarScene& scene);

}  // namespace graspmap
