#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "lab/planar/scene.hpp"

namespace graspmap {

/// The bodies of one [[body]] of a scene file: one, or those of its grid, which have the name with
/// _1, _2, ... behind it.
struct SceneBlock {
  std::string name;
  std::vector<int> bodies;  ///< indices into PlanarScene::bodies, ascending
};

/// Reads the [[body]] tables of a scene into the scene: bodies, their coordinates, velocities at
/// the start, and constant forces as drives. Throws ConfigError.
std::vector<SceneBlock> read_scene_bodies(const std::vector<TomlTable>& tables, PlanarScene& scene);

/// A block of equal bodies in rows, from below, [body.grid] of a scene file.
struct BodyGrid {
  int columns = 1;  ///< of the lowest row
  int rows = 1;
  Vec2 spacing_mm{0, 0};
  double row_shift_mm = 0.0;  ///< by which a row lies to the right of the one below
  int fewer_per_row = 0;      ///< than in the row below
  Vec2 jitter_mm{0, 0};       ///< the largest random displacement
  double size_spread = 0.0;   ///< sizes are 1 - spread to 1 + spread times the shape's
  std::uint64_t seed = 0;
};

/// One body of a grid.
struct GridPlace {
  Vec2 offset_mm{0, 0};  ///< from the first body's place
  double size = 1.0;
};

/// The places of a grid, row by row. Body k's displacements and size are the draws 0 (x), 1 (y) and
/// 2 (size) of index k of the seed's random numbers, see `uniform_open`.
std::vector<GridPlace> grid_places(const BodyGrid& grid);

/// How many they are.
std::size_t grid_count(const BodyGrid& grid);

/// Reads [body.grid]. Throws ConfigError.
BodyGrid read_body_grid(const TomlTable& table);

}  // namespace graspmap
