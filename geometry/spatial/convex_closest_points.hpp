#pragma once

#include "geometry/spatial/closest_points3.hpp"

namespace graspmap {

/// `closest_points` of any two bounded solids by their support points: of all normals that are
/// found the one of the largest gap, which is the definition of the gap both apart and overlapping.
/// Normals are those of the iteration of Gilbert, Johnson and Keerthi, of an expanding polytope,
/// and of the flat faces; between smooth solids they are refined by Newton's method.
///
/// Accuracy, relative to the solids' size: gaps 1e-10. Points and normals 1e-8 between smooth
/// solids and where a face takes part; 1e-5 where a curved surface meets an edge or the side of a
/// cylinder (the gap's error is the square of the normal's there). Overlaps deeper than the
/// nearest of several local minima are found globally.
SolidContact closest_points_of_convex(const Solid& a, const Pose3& pose_a, const Solid& b,
                                      const Pose3& pose_b);

}  // namespace graspmap
