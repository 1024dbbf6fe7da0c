#pragma once

#include "lab/solids/closest_points3.hpp"

namespace graspmap {

/// `closest_points` of any two bounded solids by their support points: of all normals that are
/// found the one of the largest gap, which is the definition of the gap both apart and overlapping.
/// Normals are those of the iteration of Gilbert, Johnson and Keerthi and of an expanding polytope,
/// refined by Newton's method (across a straight edge or ruling where one touches), and those that
/// flat faces and pairs of edges have exactly.
///
/// Accuracy, relative to the solids' size: gaps 1e-10, points and normals 1e-7 or better. Where
/// solids overlap, by little or much, the least of all depths is found; of round solids deep in
/// each other to about 1e-3.
SolidContact closest_points_of_convex(const Solid& a, const Pose3& pose_a, const Solid& b,
                                      const Pose3& pose_b);

}  // namespace graspmap
