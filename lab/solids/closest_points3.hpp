#pragma once

#include <vector>

#include "lab/solids/solid.hpp"

namespace graspmap {

/// Where two solids are closest, or touch, or overlap most: on_a - on_b = gap normal, in G's axes.
struct SolidContact {
  Vec3 on_a_mm = Vec3::Zero();
  Vec3 on_b_mm = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of B into A
  double gap_mm = 0.0;          ///< the distance when apart; minus the least translation along a
                                ///< normal that parts them when they overlap
};

/// The closest points of two solids; at most one is a half-space. Where faces or edges are
/// parallel, one of the pairs of closest points is returned, always the same one.
///
/// In closed form: a half-space against any solid; a sphere against a sphere, a box or a cylinder.
/// Other pairs by `closest_points_of_convex`, whose accuracy is written there.
SolidContact closest_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                            const Pose3& pose_b);

/// Points that together keep two solids apart where they meet along a line or a surface: those of
/// the corners of a box or cylinder against a half-space, a box or a cylinder. Corners of a box are
/// its vertices; of a cylinder four points of each rim, the lowest (towards the other solid) and
/// those a quarter and a half turn from it. Each is paired with the nearest point of the other
/// solid's surface and has its own gap, which is positive for most. Without a half-space the
/// closest points come first, for edges that cross. Other pairs have the closest points alone. The
/// number and order are the same for any poses.
///
/// Faces that cross without a corner of one within the other have the closest points alone.
std::vector<SolidContact> contact_points(const Solid& a, const Pose3& pose_a, const Solid& b,
                                         const Pose3& pose_b);

}  // namespace graspmap
