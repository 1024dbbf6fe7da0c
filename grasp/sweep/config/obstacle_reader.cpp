#include "grasp/sweep/config/obstacle_reader.hpp"

#include <fmt/format.h>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/outline_toml.hpp"

namespace graspmap {
namespace {

/// How far a half-plane reaches to its sides and from its face: further than any gripper goes.
constexpr double kHalfPlaneReach_mm = 1e4;

Outline half_plane(const Vec2& point_mm, double facing_rad) {
  const Rotation2 R(facing_rad);  // whose x axis points out of it
  constexpr double r = kHalfPlaneReach_mm;
  Outline outline;
  for (const Vec2& corner : {Vec2(0, -r), Vec2(0, r), Vec2(-r, r), Vec2(-r, -r)}) {
    outline.outer.push_back({point_mm + R * corner, 0.0, ""});
  }
  outline.outer[0].name = "face";
  return outline;
}

Outline read_shape(const TomlTable& table, const std::filesystem::path& folder,
                   const DrawnObstacle& obstacle) {
  const std::string_view drawn = outline_key(table);
  if (!obstacle.is_half_plane) return read_table_outline(table, folder);
  if (!drawn.empty()) {
    table.fail(drawn,
               "does not go with point_mm; give one of outline_mm, file, or point_mm and "
               "facing_rad");
  }
  return half_plane(obstacle.point_mm, obstacle.facing_rad);
}

void check_name(const TomlTable& table, const DrawnScenario& scenario, const std::string& name) {
  for (const Obstacle& other : scenario.obstacles) {
    if (other.name == name) {
      table.fail("name",
                 fmt::format("\"{}\" is the name of another obstacle too; must be unique", name));
    }
  }
}

}  // namespace

void read_obstacles(const std::vector<TomlTable>& tables, const std::filesystem::path& folder,
                    DrawnScenario& scenario) {
  for (const TomlTable& table : tables) {
    if (scenario.other_stepper) {
      table.fail("name", "obstacles need simulation.stepper = \"implicit\"; must be left out");
    }
    DrawnObstacle drawn;
    drawn.is_half_plane = table.has("point_mm");
    std::string name;
    KeyReader keys(table, folder);
    obstacle_keys(keys, name, drawn);
    check_name(table, scenario, name);
    if (!scenario.obstacles.empty() && drawn.frame != scenario.table) {
      table.fail(table.has("frame") ? "frame" : "name",
                 fmt::format("stands in the frame of the {}, other obstacles in that of the {}; "
                             "must be in the same frame",
                             kTableFrameWords[static_cast<std::size_t>(drawn.frame)],
                             kTableFrameWords[static_cast<std::size_t>(scenario.table)]));
    }
    scenario.table = drawn.frame;
    scenario.obstacles.push_back(
        {name, read_shape(table, folder, drawn), drawn.mu.value_or(kFrictionOfTrial)});
    scenario.obstacles_as_drawn.push_back(drawn);
  }
}

std::vector<TomlLine> obstacle_shape_lines(const DrawnObstacle& obstacle, const Outline& outline) {
  return obstacle.is_half_plane ? std::vector<TomlLine>() : outline_lines(outline);
}

}  // namespace graspmap
