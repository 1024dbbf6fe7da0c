#pragma once

#include <vector>

#include "lab/solids/solid.hpp"
#include "lab/spatial_scenes/spatial_view.hpp"

namespace graspmap {

using DrawnLine = std::vector<Vec2>;

/// A solid as it is seen: its outline, what is visible of lines on it, and of marks that show how
/// it is turned. mm in the picture.
struct DrawnSolid {
  DrawnLine outline;  ///< closed, convex, counter-clockwise
  std::vector<DrawnLine> lines;
  std::vector<DrawnLine> marks;
};

/// Draws a bounded solid with about `points` points on its outline. Lines are great circles of
/// rounded solids (sections along the coordinate planes), edges of a box, rims and four straight
/// lines of a cylinder; a sphere of radius 0 has nothing. Marks are where the body's z and x axes
/// leave it.
DrawnSolid drawn_solid(const Solid& solid, const Pose3& pose, const SpatialView& view, int points);

/// The smallest box about a bounded solid.
GrowingBox3 box_about(const Solid& solid, const Pose3& pose);

}  // namespace graspmap
