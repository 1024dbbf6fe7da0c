#pragma once

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// A planar pose X_AB: frame B's origin and orientation in frame A.
struct Pose2 {
  Vec2 position_mm = Vec2::Zero();
  double angle_rad = 0.0;
};

/// A planar rotation, with cosine and sine computed once.
struct Rotation2 {
  double c = 1.0;
  double s = 0.0;

  Rotation2() = default;
  explicit Rotation2(double angle_rad) : Rotation2(elementary::sincos(angle_rad)) {}
  explicit Rotation2(const elementary::SinCos& angle) : c(angle.cos), s(angle.sin) {}

  /// R v: from the rotated frame's axes to the fixed ones.
  Vec2 operator*(const Vec2& v) const { return {c * v.x() - s * v.y(), s * v.x() + c * v.y()}; }

  /// R^T v: from the fixed axes to the rotated frame's.
  Vec2 inverse_times(const Vec2& v) const { return {c * v.x() + s * v.y(), c * v.y() - s * v.x()}; }

  /// The product of two rotations.
  Rotation2 operator*(const Rotation2& o) const {
    Rotation2 r;
    r.c = c * o.c - s * o.s;
    r.s = s * o.c + c * o.s;
    return r;
  }
};

/// p_A = X_AB p_B: a point of frame B in frame A.
inline Vec2 transform(const Pose2& X_AB, const Vec2& p_B_mm) {
  return X_AB.position_mm + Rotation2(X_AB.angle_rad) * p_B_mm;
}

/// p_B = X_AB^-1 p_A: a point of frame A in frame B.
inline Vec2 inverse_transform(const Pose2& X_AB, const Vec2& p_A_mm) {
  return Rotation2(X_AB.angle_rad).inverse_times(p_A_mm - X_AB.position_mm);
}

/// X_AC = X_AB X_BC.
inline Pose2 compose(const Pose2& X_AB, const Pose2& X_BC) {
  return {transform(X_AB, X_BC.position_mm), X_AB.angle_rad + X_BC.angle_rad};
}

}  // namespace graspmap
