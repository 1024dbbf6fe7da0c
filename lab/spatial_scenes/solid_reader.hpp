#pragma once

#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/solids/solid.hpp"

namespace graspmap {

/// Reads the solid of a body: `kind` and the keys that belong to it. A stand-in until the caller
/// has checked the table's keys. Throws ConfigError.
Solid read_solid(const TomlTable& table);

}  // namespace graspmap
