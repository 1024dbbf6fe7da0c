#pragma once

#include <Eigen/Core>

#include "lab/solids/pose3.hpp"

namespace graspmap {

/// Motions (v, w) of a link are those of its origin, forces (f, n) on it are taken about its
/// origin, both in G's axes: 6-vectors in this order. `l_mm` runs from a parent's origin to its
/// child's.
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// phi^T V: the motion that a child's origin has with its parent.
inline Twist carried_motion(const Vec3& l_mm, const Twist& parent) {
  Twist child = parent;
  child.head<3>() += parent.tail<3>().cross(l_mm);
  return child;
}

/// phi f: a force at a child's origin as one at its parent's.
inline Twist carried_force(const Vec3& l_mm, const Twist& child) {
  Twist parent = child;
  parent.tail<3>() += l_mm.cross(child.head<3>());
  return parent;
}

/// phi P phi^T: an inertia about a child's origin as one about its parent's; P is symmetric.
inline Mat6 carried_inertia(const Vec3& l_mm, const Mat6& P) {
  const Mat3 l = cross_matrix(l_mm);
  const Mat3 A = P.topLeftCorner<3, 3>();
  const Mat3 B = P.topRightCorner<3, 3>();
  const Mat3 Al = A * l;
  const Mat3 lB = l * B;
  Mat6 carried;
  carried.topLeftCorner<3, 3>() = A;
  carried.topRightCorner<3, 3>() = B - Al;
  carried.bottomLeftCorner<3, 3>() = (B - Al).transpose();
  carried.bottomRightCorner<3, 3>() = P.bottomRightCorner<3, 3>() + lB + lB.transpose() - l * Al;
  return carried;
}

/// The velocity of a point at `r_mm` from the origin of a body that moves as `motion`.
inline Vec3 velocity_at(const Twist& motion, const Vec3& r_mm) {
  return motion.head<3>() + Vec3(motion.tail<3>()).cross(r_mm);
}

/// The acceleration of such a point of the body, given the time derivative of its motion.
inline Vec3 acceleration_at(const Twist& motion, const Twist& rate, const Vec3& r_mm) {
  const Vec3 w = motion.tail<3>();
  return velocity_at(rate, r_mm) + w.cross(w.cross(r_mm));
}

}  // namespace graspmap
