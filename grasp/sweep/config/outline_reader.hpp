#pragma once

#include <filesystem>
#include <string_view>

#include "geometry/outline.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {

/// A point or vector, [x, y].
Vec2 read_vec2(const TomlTable& table, std::string_view key);

/// The key by which a table gives an outline: "outline_mm", or else "file"; "" when it has neither.
/// Asks for all keys of outlines.
std::string_view outline_key(const TomlTable& table);

/// Reads the outline of a table that has one, by its points or from a drawing in `folder`, and
/// checks it: a region of the plane. Loops of the other orientation are turned around. The keys of
/// the table must have been checked. Throws ConfigError.
Outline read_table_outline(const TomlTable& table, const std::filesystem::path& folder);

}  // namespace graspmap
