#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "geometry/half_plane.hpp"
#include "geometry/pose2.hpp"
#include "geometry/rounded_wedge.hpp"
#include "geometry/superellipse.hpp"

namespace graspmap {

/// A superellipse placed in the region's frame.
struct PlacedSuperellipse {
  Superellipse shape;
  Pose2 pose;  ///< the superellipse's axes in the region's frame
};

using ConvexFunction = std::variant<HalfPlane, PlacedSuperellipse, RoundedWedge>;

/// The intersection { x : f_i(x) <= 0 for all i } of convex functions,
/// Chakraborty et al. 2014, eq. (23): a jaw, a polygon, a rod, a single piece.
struct ConvexRegion {
  std::vector<ConvexFunction> functions;
};

/// f(x), negative inside: mm for a half-plane and a rounded wedge, dimensionless for a
/// superellipse.
double value(const ConvexFunction& function, const Vec2& x_mm);

/// grad f(x), in the unit of f per mm.
Vec2 gradient(const ConvexFunction& function, const Vec2& x_mm);

/// The Hessian of f(x), in the unit of f per mm^2.
Mat2 hessian(const ConvexFunction& function, const Vec2& x_mm);

/// The index k of a function with the largest f_k(x) (the first of equals). The region must have
/// a function.
std::size_t active_function(const ConvexRegion& region, const Vec2& x_mm);

/// max_i f_i(x): negative inside, zero on the boundary, positive outside. Where it has a
/// gradient and a Hessian they are those of the active function.
double value(const ConvexRegion& region, const Vec2& x_mm);

}  // namespace graspmap
