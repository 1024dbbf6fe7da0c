#pragma once

#include <string>
#include <string_view>

#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// Draws path data, the attribute d of a path. Returns what is wrong with it, "" when nothing is.
std::string draw_svg_path(std::string_view data, Pen& pen);

}  // namespace graspmap
