#pragma once

#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// "This is how I understood it": the part of a configuration with names and dimensions, the open
/// fingers at the middle of the map, the map's rectangle, the part's axes, and in words what
/// success means. The part is of outlines, the fingers are given.
PictureShapes setup_picture(const SweepConfig& config);

}  // namespace graspmap
