#pragma once

#include <vector>

#include "geometry/outline.hpp"
#include "grasp/show/outlines/picture_shapes.hpp"

namespace graspmap {

/// A picture: the regions with their holes, the name of each outer element with its length
/// or radius, diameters of round holes, width and height, and the origin. A label without a place
/// is left out; the picture says how many. Regions must not be empty.
PictureShapes drawing_picture(const std::vector<Outline>& regions);

}  // namespace graspmap
