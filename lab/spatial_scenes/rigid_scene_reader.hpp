#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/scene.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {

/// What scenes in space may have besides the limits of all scenes.
inline constexpr NumberRange kFrictionRadii{.min = 1e-3, .max = 1e3};
inline constexpr NumberRange kTorsionRadii_mm{.min = 0.0, .max = 1e6};

/// A list of three numbers of at most `kLargestComponent`. Throws ConfigError, as the others here.
Vec3 read_vec3(const TomlTable& table, std::string_view key);
Vec3 read_vec3_or_zero(const TomlTable& table, std::string_view key);

/// Three numbers that are > 0.
Vec3 read_lengths3(const TomlTable& table, std::string_view key);

/// Three numbers that are not all zero, as a unit vector.
Vec3 read_direction3(const TomlTable& table, std::string_view key);

/// A quaternion [w, x, y, z] that is a unit one to 1e-3, made one to the last bit; without the key
/// no rotation.
Eigen::Quaterniond read_orientation(const TomlTable& table, std::string_view key);

/// Principal moments of inertia, none of which may be more than the two others together. All > 0;
/// or, when `may_vanish`, >= 0.
Vec3 read_principal_inertia(const TomlTable& table, std::string_view key, bool may_vanish);

/// A force and moment, N and N mm, as mN and mN mm (or impulses in the same units times s); zero
/// where left out.
Twist read_wrench(const TomlTable& table, std::string_view force_key, std::string_view moment_key);

/// `directions` of a linearised friction cone: even, from 4 to 64.
int read_friction_directions(const TomlTable& table, int fallback);

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
