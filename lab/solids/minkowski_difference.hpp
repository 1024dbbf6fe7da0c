#pragma once

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

}  // namespace graspmap
