#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "geometry/outline.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/config_write.hpp"

namespace graspmap {

/// The key by which a table gives an outline: "outline_mm", or else "file"; "" when it has neither.
std::string_view outline_key(const TomlTable& table);

/// Reads the outline of a table that has one, by its points or from a drawing in `folder`, and
/// checks it: a region of the plane. Loops of the other orientation are turned around. Throws
/// ConfigError.
Outline read_table_outline(const TomlTable& table, const std::filesystem::path& folder);

/// The keys outline_mm, holes_mm and names of an outline, the latter two where there are any.
/// Reading them gives the same outline to the last bit.
std::vector<TomlLine> outline_lines(const Outline& outline);

}  // namespace graspmap
