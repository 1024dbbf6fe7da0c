#pragma once

#include <variant>

#include "geometry/convex_region.hpp"
#include "geometry/rounded_polygon.hpp"

namespace graspmap {

/// A convex shape in its own axes.
using ConvexShape = std::variant<Superellipse, RoundedPolygon>;

/// A convex piece of a body: X_BA places the shape's axes in the body's frame.
struct PlacedShape {
  ConvexShape shape;
  Pose2 pose;
};

/// The largest distance of a point of the shape from its origin, infinity when it is open.
double bounding_radius_mm(const ConvexShape& shape);

/// The shape at a pose as an intersection of convex functions, Chakraborty et al. 2014, eq. (23):
/// one for a superellipse, one an edge for a polygon, one a vertex for a rounded polygon.
ConvexRegion region_at(const ConvexShape& shape, const Pose2& pose);

}  // namespace graspmap
