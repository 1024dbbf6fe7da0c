#pragma once

#include <string>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// A picture as SVG: the regions with their holes, the name of each outer element with its length
/// or radius, diameters of round holes, width and height, and the origin. A label without a place
/// is left out; the picture says how many. Regions must not be empty.
std::string drawing_picture(const std::vector<Outline>& regions);

}  // namespace graspmap
