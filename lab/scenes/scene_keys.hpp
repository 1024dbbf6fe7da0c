#pragma once

#include <toml++/toml.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scene_model/contact_laws.hpp"
#include "lab/scene_model/scene_run.hpp"

namespace graspmap {

/// What a scene file describes, its key `kind`.
enum class SceneKind : std::uint8_t {
  kPlanar,      ///< rigid bodies in the plane, the default
  kSpatial,     ///< rigid bodies in space
  kArticulated  ///< links on joints, in space
};
const char* name(SceneKind kind);

/// Reads `kind`, "planar" when it is left out. Throws ConfigError.
SceneKind read_scene_kind(const TomlTable& document);

/// A scene file as TOML. Only its `kind` has been read.
struct SceneDocument {
  std::string name;  ///< of the file, without its folder and ".toml"
  std::string toml;  ///< the file's text; with overrides the document that they made of it
  toml::table root;
  SceneKind kind = SceneKind::kPlanar;
};

/// Reads a scene file of any kind. `overrides` as for `read_sweep_config`. Throws ConfigError.
SceneDocument read_scene_document(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides);

/// The same for a text; `source` is the file that errors name.
SceneDocument parse_scene_document(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides = {});

/// Keys and limits that scenes of all kinds have in common. Beyond the limits steps could not be
/// solved in double precision, or a scene would not fit into the memory.

inline constexpr NumberRange kSceneTolerances{.min = 1e-14, .max = 1e-2};
inline constexpr NumberRange kLengths_mm{.min = 1e-6, .max = 1e9};
inline constexpr NumberRange kMasses_kg{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kInertias_kg_mm2{.min = 1e-21, .max = 1e27};
inline constexpr NumberRange kTimes_s{.min = 1e-9, .max = 1e9};
inline constexpr NumberRange kFrictionCoefficients{.min = 0.0, .max = 1e3};
inline constexpr double kLargestComponent = 1e12;  ///< of a position, velocity, force or inertia
inline constexpr NumberRange kComponents{.min = -kLargestComponent, .max = kLargestComponent};
inline constexpr NumberRange kAngles_rad{.min = -1e6, .max = 1e6};
inline constexpr NumberRange kStiffnesses_n_per_mm{.min = 1e-9, .max = 1e12};
inline constexpr NumberRange kDampings_n_s_per_mm{.min = 0.0, .max = 1e12};
inline constexpr std::size_t kMostSceneBodies = 2000;
inline constexpr std::size_t kMostScenePairs = 100'000;  ///< of bodies with a law of their own

/// Throws ConfigError when a list of tables has more than `most` entries.
void check_count(const TomlTable& document, std::string_view key, std::size_t count,
                 std::size_t most);

/// The one of `kinds` whose name() the key has. Throws ConfigError.
template <typename Kinds>
auto read_named(const TomlTable& table, std::string_view key, const Kinds& kinds) {
  std::vector<std::string_view> words;
  for (const auto kind : kinds) words.emplace_back(name(kind));
  return kinds[table.choice(key, words)];
}

/// Two numbers of at most kLargestComponent. Throws ConfigError.
std::array<double, 2> read_components2(const TomlTable& table, std::string_view key);

/// A body as the limits on ratios see it.
struct BodyScale {
  std::string name;
  double size_mm = 0.0;      ///< its bounding radius; 0 or infinite: it has none
  double distance_mm = 0.0;  ///< of its centre from the origin
  double mass_kg = 0.0;      ///< 0: it does not move, or others carry its mass
  double speed_mm_s = 0.0;
  double turning_rad_s = 0.0;
};

/// What is beyond a limit, of which body.
struct ScaleFault {
  enum class Of : std::uint8_t { kSize, kMass, kSpeed, kTurning };
  std::size_t body = 0;
  Of of = Of::kSize;
  std::string text;
};

/// The first limit that bodies break together, or with the step: sizes up to 1e9 times smaller than
/// the largest length, masses up to 1e9 times smaller than the largest, steps of up to 1e6 times a
/// body's size and of 100 rad.
std::optional<ScaleFault> find_scale_fault(const std::vector<BodyScale>& bodies, double step_s);

/// Reads [time]: duration_s, step_s. Throws ConfigError.
SceneRunSettings read_scene_time(const TomlTable& table);

/// Reads `between`: two names. Throws ConfigError.
std::array<std::string, 2> names_between(const TomlTable& table);

/// Reads `soft` of a [[contact]]: the layer of the second body of `between`, or a list of two, of
/// the first and the second one; neither when the key is left out. Matrices have `directions` rows
/// and columns: 2 (n, t) in the plane, 3 (n, t, o) in space. Throws ConfigError.
SoftLayers read_soft_layers(const TomlTable& contact, std::size_t directions);

}  // namespace graspmap
