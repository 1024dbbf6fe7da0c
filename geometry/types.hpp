#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {

/// The conventions of the whole project, written once.
///
/// Units     mm, kg, s, rad; force in mN = kg mm/s^2; impulse in mN s; gravity 9810 mm/s^2.
///           At every border (config keys, CSV columns, flags, public fields) the unit is in the
///           name.
/// Frames    G: gripper (x is the closing direction, origin midway between the jaws, y = 0 is the
///           fingertips' top edge; it rests on the table unless a program moves it). P: part. B:
///           part axes at its centre of mass. X_GP is the pose of P in G; p_PC_G runs from P's
///           origin to C, in G's axes.
/// Signs     psi > 0 apart, psi = 0 touching, psi < 0 overlapping. A contact normal n points out of
///           the jaw into the part; the tangent is t = perp(n), n turned by +90 degrees.
///           Angles and moments are positive counter-clockwise.

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;

inline constexpr double kMillinewtonsPerNewton = 1000.0;

/// v turned by +90 degrees.
inline Vec2 perp(const Vec2& v) { return {-v.y(), v.x()}; }

/// The planar cross product u x v = u_x v_y - u_y v_x.
inline double cross(const Vec2& u, const Vec2& v) { return u.x() * v.y() - u.y() * v.x(); }

/// i >= 0 as an index into a container of the standard library.
inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The unit vector at an angle from the x axis, rad.
inline Vec2 unit_vector(double angle_rad) {
  const elementary::SinCos angle = elementary::sincos(angle_rad);
  return {angle.cos, angle.sin};
}

/// A planar pose X_AB: frame B's origin and orientation in frame A.
struct Pose2 {
  Vec2 position_mm = Vec2::Zero();
  double angle_rad = 0.0;

  bool operator==(const Pose2&) const = default;
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

/// X_BA.
inline Pose2 inverse(const Pose2& X_AB) {
  return {-(Rotation2(X_AB.angle_rad).inverse_times(X_AB.position_mm)), -X_AB.angle_rad};
}

/// X_AC = X_AB X_BC.
inline Pose2 compose(const Pose2& X_AB, const Pose2& X_BC) {
  return {transform(X_AB, X_BC.position_mm), X_AB.angle_rad + X_BC.angle_rad};
}

}  // namespace graspmap
