#pragma once

#include <filesystem>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_write.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

/// Reads the tables [[obstacle]] into a scenario. Drawings are looked for in `folder`. Throws
/// ConfigError.
void read_obstacles(const std::vector<TomlTable>& tables, const std::filesystem::path& folder,
                    DrawnScenario& scenario);

/// The keys of an obstacle's shape: those of its outline, or none of a half-plane, which
/// obstacle_keys writes.
std::vector<TomlLine> obstacle_shape_lines(const DrawnObstacle& obstacle, const Outline& outline);

}  // namespace graspmap
