#pragma once

#include <vector>

#include "grasp/io/toml_reader.hpp"
#include "sim/spatial/scene.hpp"

namespace graspmap {

/// Reads the [[body]] tables of a document of kind "spatial"; one of them moves at least. Throws
/// ConfigError.
std::vector<SpatialBody> read_rigid_bodies(const std::vector<TomlTable>& tables);

}  // namespace graspmap
