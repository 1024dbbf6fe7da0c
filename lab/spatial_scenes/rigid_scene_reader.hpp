#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/scene.hpp"
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

/// Reads the solid of a body: `kind` and the keys that belong to it. A stand-in until the caller
/// has checked the table's keys. Throws ConfigError.
Solid read_solid(const TomlTable& table);

/// Reads the [[body]] tables of a document of kind "spatial"; one of them moves at least. Throws
/// ConfigError.
std::vector<SpatialBody> read_rigid_bodies(const std::vector<TomlTable>& tables);

/// The index of the body of this name, which is the value of `key`. Throws ConfigError.
int body_named(const TomlTable& table, std::string_view key, const std::string& name,
               const std::vector<SpatialBody>& bodies);

/// Reads a [[joint]] of a document of kind "spatial" into the scene, whose bodies and contact laws
/// are known: the joint, and that its bodies pass through each other unless the table or a law says
/// otherwise. Throws ConfigError.
void read_spatial_joint(const TomlTable& table, SpatialScene& scene);

}  // namespace graspmap
