#pragma once

#include <cstdint>
#include <vector>

#include "geometry/convex_shape.hpp"

namespace graspmap {

/// Which features of two shapes A and B a contact is between. Two polygons touch at vertices, so
/// each vertex of one and the whole other are a contact of their own; all other pairs have one.
struct ContactFeature {
  enum class Kind : std::uint8_t { kWhole, kVertexOfA, kVertexOfB };
  Kind kind = Kind::kWhole;
  int vertex = 0;  ///< index into RoundedPolygon::vertices, 0 for kWhole

  bool operator==(const ContactFeature&) const = default;
};

/// The closest points of two shapes, in the frame G of both poses.
struct ShapeContact {
  double gap_mm = 0.0;  ///< psi: distance when apart, minus the penetration depth when not
  Vec2 normal{0, 0};    ///< n, unit, out of B into A
  Vec2 on_a_mm{0, 0};
  Vec2 on_b_mm{0, 0};
  double radius_a_mm = 0.0;  ///< of curvature at on_a: 0 at a sharp vertex, infinity on an edge
  double radius_b_mm = 0.0;
};

/// psi = max over unit normals n of n . (c_A - c_B) - h_A(-n) - h_B(n), h the support functions:
/// the distance of the closest points, Chakraborty et al. 2014, eq. (9)-(14). Exact to rounding
/// when apart, touching, or overlapping by less than the radii of curvature.
ShapeContact shape_contact(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b,
                           const Pose2& X_GB, const ContactFeature& feature);

/// Appends the features whose gap is at most `reach_mm`, in a fixed order. Where two vertices are
/// closest to each other, the one of A stands for both.
void near_features(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b, const Pose2& X_GB,
                   double reach_mm, std::vector<ContactFeature>& features);

}  // namespace graspmap
