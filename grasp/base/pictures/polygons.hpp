#pragma once

#include <vector>

#include "geometry/outline.hpp"
#include "grasp/base/pictures/label_placer.hpp"

namespace graspmap {

/// The points of a loop, which is closed by a line from the last one to the first: its corners, and
/// so many points of its arcs that no chord is farther than `tolerance_mm` > 0 from its arc.
std::vector<Vec2> loop_points(const OutlineLoop& loop, double tolerance_mm);

/// The outer loop and the holes of an outline as polygons.
std::vector<std::vector<Vec2>> outline_polygons(const Outline& outline, double tolerance_mm);

/// The part of a polygon within a box (Sutherland and Hodgman), empty where there is none. What was
/// cut into several pieces stays one polygon: lines on the box's sides connect them.
std::vector<Vec2> clipped(const std::vector<Vec2>& polygon, const Box& box);

/// Polygons within a box; those of which nothing is left are left out.
std::vector<std::vector<Vec2>> clipped(const std::vector<std::vector<Vec2>>& polygons,
                                       const Box& box);

/// A polygon and its holes as one closed polygon: a cut of no width leads to each hole, from the
/// nearest of the first polygon's points. Empty without polygons; none of them is empty.
std::vector<Vec2> joined_polygon(const std::vector<std::vector<Vec2>>& polygons);

}  // namespace graspmap
