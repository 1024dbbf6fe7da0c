#pragma once

#include <Eigen/Core>

#include "sim/support/fourth_order.hpp"

namespace graspmap {

/// What a step needs to know of a convex set { H <= 1 } near a point z.
struct LimitSurfacePoint {
  bool inside = false;      ///< z is in the set, or on its surface
  Eigen::Vector3d nearest;  ///< the point of the set that is nearest to z: its projection
  /// A point of the surface H = 1: the nearest one where z is outside, else z scaled to it.
  Eigen::Vector3d boundary;
  /// Of the nearest point of the surface by z, symmetric, eigenvalues in [0, 1]; where z is inside,
  /// the projector onto the surface's tangent plane.
  Eigen::Matrix3d derivative;
};

/// The projection of z onto the set H <= 1 of a convex, positive form: Newton's method on the
/// surface, with the exact derivative of the result. H should be near |y|^4, which is what
/// FourthOrderForm::nearest_ellipsoid is for. Allocates nothing.
LimitSurfacePoint limit_surface_point(const FourthOrderForm& form, const Eigen::Vector3d& z);

}  // namespace graspmap
