#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "lab/articulated/simulate_articulated.hpp"

namespace graspmap {

/// An articulated system, and how it is stepped.
struct ArticulatedScene {
  ArticulatedSystem system;
  ArticulatedSettings settings;
};

/// Reads [solver], [world], [[link]], [[obstacle]] and [[closure]] of a document of kind
/// "articulated". Checks the document's keys, all of whose others have been read. Throws
/// ConfigError.
ArticulatedScene read_articulated_scene(const TomlTable& document);

}  // namespace graspmap
