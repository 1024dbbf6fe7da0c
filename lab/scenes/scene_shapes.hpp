#pragma once

#include <string_view>
#include <vector>

#include "geometry/convex_shape.hpp"
#include "grasp/io/toml_reader.hpp"

namespace graspmap {

/// Reads the shape of a body or of a piece: `kind` and the keys that belong to it. The table may
/// have `other_keys` too, and no more. Throws ConfigError.
ConvexShape read_scene_shape(const TomlTable& table, std::vector<std::string_view> other_keys);

/// Reads a [[body.piece]]: a shape with position_mm and angle_rad in the body's frame. Throws
/// ConfigError.
PlacedShape read_scene_piece(const TomlTable& table);

}  // namespace graspmap
