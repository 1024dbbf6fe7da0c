#pragma once

#include "geometry/convex_shape.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// Reads the shape of a body or of a piece: `kind` and the keys that belong to it. A stand-in until
/// the caller has checked the table's keys. Throws ConfigError.
ConvexShape read_scene_shape(const TomlTable& table);

/// Reads a [[body.piece]]: a shape with position_mm and angle_rad in the body's frame. Throws
/// ConfigError.
PlacedShape read_scene_piece(const TomlTable& table);

}  // namespace graspmap
