#pragma once

#include "geometry/closest_points.hpp"
#include "geometry/convex_region.hpp"

namespace graspmap::testing {

/// A jaw as an intersection of two half-planes with its fingertip vertex at (fingertip_x, 0):
/// Chakraborty et al. 2014, eq. (58)-(59) (right) and (60)-(61) (left).
inline ConvexRegion jaw_region(JawSide side, double fingertip_x_mm) {
  // The inside edge bounds { mirror_sign X >= mirror_sign x_jaw }.
  const HalfPlane top{top_normal(), 0.0};
  const HalfPlane inside{inside_normal(side), -mirror_sign(side) * fingertip_x_mm};
  return ConvexRegion{{top, inside}};
}

/// d r of a contact's motion as a matrix of partial derivatives, in mm and mm/rad.
inline Eigen::Matrix<double, 2, 4> arm_derivative(const ClosestPoints& closest,
                                                  const ContactMotion& motion) {
  const Vec2 tau = -perp(closest.normal);
  Eigen::Matrix<double, 2, 4> arm = Eigen::Matrix<double, 2, 4>::Zero();
  arm.col(2) = perp(motion.arm_mm);
  for (int axis = 0; axis < 2; ++axis) {
    if (tau[axis] != 0.0) arm.row(axis) += tau[axis] * motion.slide;  // a flat spot's is infinite
  }
  return arm;
}

/// The Hessian of psi in (x, y, theta, fingertip_x), from d n = perp(n) turn and
/// d(r x n) = dr x n + r x dn. Its theta-theta entry is -infinity on a flat spot.
inline Eigen::Matrix4d gap_hessian(const ClosestPoints& closest, const ContactMotion& motion) {
  const Vec2& n = closest.normal;
  const Vec2 t = perp(n);
  Eigen::Matrix4d H = Eigen::Matrix4d::Zero();
  if (closest.feature != JawFeature::kVertex) {
    H(2, 2) = -motion.arm_mm.dot(n) - 1.0 / closest.boundary.curvature_per_mm;
    return H;
  }
  const Eigen::Matrix<double, 2, 4> arm = arm_derivative(closest, motion);
  H.row(0) = t.x() * motion.turn;
  H.row(1) = t.y() * motion.turn;
  H.row(2) = n.y() * arm.row(0) - n.x() * arm.row(1) + cross(motion.arm_mm, t) * motion.turn;
  H.row(3) = -t.x() * motion.turn;
  return H;
}

}  // namespace graspmap::testing
