#pragma once

#include <vector>

#include "geometry/spatial/solid.hpp"

namespace graspmap {

/// Where two solids are closest, or touch, or overlap most: on_a - on_b = gap normal, in G's axes.
struct SolidContact {
  Vec3 on_a_mm = Vec3::Zero();
  Vec3 on_b_mm = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of B into A
  double gap_mm = 0.0;          ///< the distance when apart; minus the least translation along a
                                ///< normal that parts them when they overlap
};

/// The closest points of two solids, of which one at most is a half-space. Of faces or edges that
/// are parallel any closest points are returned, always the same.
///
/// In closed form: a half-space against any solid; a sphere against a sphere, a box or a cylinder.
/// Other pairs by `closest_points_of_convex`, whose accuracy is written there.
SolidContact closest_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                            const Pose3& pose_b);

/// Points that together keep two solids apart where they meet along a line or a surface. Of a box
/// and a half-space the eight vertices; of a cylinder and a half-space four points of each rim: the
/// lowest and those a quarter and a half turn from it. Each has its own gap, which is positive for
/// most. Of other pairs the closest points alone.
std::vector<SolidContact> contact_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                                         const Pose3& pose_b);

}  // namespace graspmap
