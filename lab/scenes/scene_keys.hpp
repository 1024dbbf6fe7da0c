#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/scene_model/scene_run.hpp"
#include "lab/scenes/scene_document.hpp"

namespace graspmap {

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

}  // namespace graspmap
