#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grasp/io/toml_reader.hpp"
#include "lab/scenes/scene_document.hpp"
#include "sim/scenes/scene_run.hpp"

namespace graspmap {

/// Keys that scenes of all kinds have in common.

inline constexpr NumberRange kSceneTolerances{.min = 1e-14, .max = 1e-2};

/// Reads [time]: duration_s, step_s. Throws ConfigError.
SceneRunSettings read_scene_time(const TomlTable& table);

/// Reads `between`: two names. Throws ConfigError.
std::array<std::string, 2> names_between(const TomlTable& table);

}  // namespace graspmap
