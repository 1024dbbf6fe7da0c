#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// Reads a [[joint]] of a document of kind "spatial" into the scene, whose bodies and contact laws
/// are known: the joint, and that its bodies pass through each other unless the table or a law says
/// otherwise. Throws ConfigError.
void read_spatial_joint(const TomlTable& table, SpatialScene& scene);

}  // namespace graspmap
