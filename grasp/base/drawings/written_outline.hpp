#pragma once

#include <string>

#include "geometry/outline.hpp"

namespace graspmap {

/// An outline as a drawing to cut or print, in mm: segments and arcs as they are. read_drawing
/// reads the same outline back; of SVG, seen from the page's lower left corner.

/// DXF of release 12, which every CAD program reads: a closed polyline with bulges for each loop,
/// on the layer "outline".
std::string dxf_text(const Outline& outline);

/// SVG at full size, y upwards: a path.
std::string svg_text(const Outline& outline);

}  // namespace graspmap
