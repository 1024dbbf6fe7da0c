#pragma once

#include <string_view>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/solids/pose3.hpp"

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

}  // namespace graspmap
