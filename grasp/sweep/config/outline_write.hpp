#pragma once

#include <vector>

#include "geometry/outline.hpp"
#include "grasp/sweep/config/toml_lines.hpp"

namespace graspmap {

/// The keys outline_mm, holes_mm and names of an outline, the latter two where there are any.
/// Reading them gives the same outline to the last bit.
std::vector<TomlLine> outline_lines(const Outline& outline);

}  // namespace graspmap
