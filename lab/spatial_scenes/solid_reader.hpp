#pragma once

#include <string_view>
#include <vector>

#include "geometry/spatial/solid.hpp"
#include "grasp/io/toml_reader.hpp"

namespace graspmap {

/// Reads the solid of a body: `kind` and the keys that belong to it. The table may have
/// `other_keys` too, and no more. Throws ConfigError.
Solid read_solid(const TomlTable& table, std::vector<std::string_view> other_keys);

}  // namespace graspmap
