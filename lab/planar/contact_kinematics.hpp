#pragma once

#include "geometry/shape_contact.hpp"

namespace graspmap {

/// How a contact changes with the poses (x_a, y_a, theta_a, x_b, y_b, theta_b) of its bodies: rows
/// of partial derivatives.
struct ContactKinematics {
  using Row = Eigen::Matrix<double, 1, 6>;
  Row gap = Row::Zero();   ///< d psi
  Row turn = Row::Zero();  ///< d phi, phi the angle of n
  Eigen::Matrix<double, 2, 6> arm_a = Eigen::Matrix<double, 2, 6>::Zero();  ///< d(on_a - p_a)
  Eigen::Matrix<double, 2, 6> arm_b = Eigen::Matrix<double, 2, 6>::Zero();  ///< d(on_b - p_b)
};

/// With u the relative displacement of A on B along t at the closest points and rho the radii of
/// curvature, rolling and sliding of two curves on each other give
///   (rho_a + rho_b + psi) dphi = u + rho_a dtheta_a + rho_b dtheta_b,
/// and the points slide by ds_a = rho_a (dphi - dtheta_a), ds_b = rho_b (dphi - dtheta_b) along
/// their boundaries, counter-clockwise. On an edge (rho infinite) dphi is that body's turn.
/// `p_a_mm` and `p_b_mm` are the bodies' origins in G. The largest finite radius is limited to
/// `largest_radius_mm`: at a flat spot on an edge the point has no derivative.
ContactKinematics contact_kinematics(const ShapeContact& contact, const Vec2& p_a_mm,
                                     const Vec2& p_b_mm, double largest_radius_mm);

}  // namespace graspmap
