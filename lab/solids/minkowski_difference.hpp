#pragma once

#include <optional>

#include "lab/solids/solid.hpp"

namespace graspmap {

/// A point of A minus one of B, both from B's centre and in G's axes.
struct MinkowskiPoint {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
  Vec3 d = Vec3::Zero();
};

/// The set of all a - b of two bounded solids: it holds the origin where they overlap. Refers to
/// its arguments.
class MinkowskiDifference {
 public:
  MinkowskiDifference(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b)
      : a_(a),
        b_(b),
        pose_a_(pose_a),
        pose_b_(pose_b),
        size_mm_(bounding_radius_mm(a) + bounding_radius_mm(b)) {}

  /// The point farthest along `direction`.
  [[nodiscard]] MinkowskiPoint support(const Vec3& direction) const {
    MinkowskiPoint point;
    point.a = pose_a_.orientation * support_point(a_, pose_a_.orientation.conjugate() * direction) +
              (pose_a_.position_mm - pose_b_.position_mm);
    point.b = pose_b_.orientation * support_point(b_, pose_b_.orientation.conjugate() * -direction);
    point.d = point.a - point.b;
    return point;
  }

  /// How far A is from B along the unit vector n, out of B into A: the gap is the largest of all.
  [[nodiscard]] double separation(const Vec3& n) const { return n.dot(support(-n).d); }

  /// The sum of the bounding radii.
  [[nodiscard]] double size_mm() const { return size_mm_; }

 private:
  const Solid& a_;
  const Solid& b_;
  const Pose3& pose_a_;
  const Pose3& pose_b_;
  double size_mm_;
};

/// The point of a Minkowski difference nearest to the origin, by the iteration of Gilbert, Johnson
/// and Keerthi; none where the origin is in it, or nearer than 1e-12 of its size. |d|^2 is that of
/// the nearest point to 1e-14, or to rounding.
std::optional<MinkowskiPoint> nearest_to_origin(const MinkowskiDifference& difference);

/// The direction along which two solids are most apart, by a polytope within their Minkowski
/// difference whose nearest face is expanded until it does not grow by more than 1e-12 of the size,
/// or it has a few hundred faces (round solids deep in each other). Overlapping solids: the
/// direction of least penetration, to 1e-12 of the size in depth and the root of that in angle
/// where surfaces are curved; with as many faces about 1e-3 in depth. Solids apart: a direction
/// that separates them.
struct PolytopeNormal {
  Vec3 normal = Vec3::UnitZ();  ///< out of B into A
  MinkowskiPoint point;         ///< of the polytope's face, nearest to the origin
};
PolytopeNormal expand_polytope(const MinkowskiDifference& difference);

}  // namespace graspmap
