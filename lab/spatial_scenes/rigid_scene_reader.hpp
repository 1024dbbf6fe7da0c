#pragma once

#include "grasp/base/io/toml_reader.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// Rigid bodies in space, and how they are stepped.
struct RigidScene {
  SpatialScene scene;
  SpatialStepperKind stepper = SpatialStepperKind::kImplicit;
  SpatialStepperSettings settings;
};

/// Reads [solver], [world], [[body]], [[contact]], [[joint]], [[push]] and [[kick]] of a document
/// of kind "spatial". Checks the document's keys, all of whose others have been read. Throws
/// ConfigError.
RigidScene read_rigid_scene(const TomlTable& document);

}  // namespace graspmap
