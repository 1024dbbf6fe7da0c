#pragma once

#include <vector>

#include "geometry/convex_shape.hpp"
#include "geometry/mass_properties.hpp"

namespace graspmap {

/// Area, centroid and polar moment of a closed rounded polygon in its own axes, in closed form: the
/// core by the shoelace formula, a rectangle along each edge, a circular sector at each vertex.
AreaIntegrals plate_integrals(const RoundedPolygon& shape);

/// The same for closed shapes placed in a body's frame. Superellipses alone may overlap (their
/// union counts); in all other sets each shape counts, so they should not.
AreaIntegrals plate_integrals(const std::vector<PlacedShape>& shapes);

/// True for a shape that reaches to infinity.
bool is_open(const ConvexShape& shape);

/// The shape with all its lengths multiplied by `factor` > 0.
ConvexShape scaled(const ConvexShape& shape, double factor);

}  // namespace graspmap
