#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// Reads the [[body]] tables of a document of kind "spatial"; one of them moves at least. Throws
/// ConfigError.
std::vector<SpatialBody> read_rigid_bodies(const std::vector<TomlTable>& tables);

/// The index of the body of this name, which is the value of `key`. Throws ConfigError.
int body_named(const TomlTable& table, std::string_view key, const std::string& name,
               const std::vector<SpatialBody>& bodies);

}  // namespace graspmap
