#pragma once

#include <variant>
#include <vector>

#include "geometry/superellipse.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// The half-plane { x : f(x) <= 0 }, f(x) = normal . x - offset, as in Chakraborty et al. 2014,
/// eq. (58)-(61). `normal` is a unit vector and points out of the half-plane.
struct HalfPlane {
  Vec2 normal{0.0, 1.0};
  double offset_mm = 0.0;
};

/// f(x) in mm: the signed distance of x to the half-plane, negative inside.
inline double value(const HalfPlane& shape, const Vec2& x_mm) {
  return shape.normal.dot(x_mm) - shape.offset_mm;
}

/// grad f(x): the constant outward unit normal.
inline Vec2 gradient(const HalfPlane& shape, const Vec2& /*x_mm*/) { return shape.normal; }

/// The Hessian of f: zero.
inline Mat2 hessian(const HalfPlane& /*shape*/, const Vec2& /*x_mm*/) { return Mat2::Zero(); }

/// A convex corner grown by a disc: the points within `radius_mm` of the wedge
/// { x : normals[i] . (x - vertex) <= 0 }. With opposite normals it is a ray with a half disc at
/// its end; two of them back to back make a rod, one at each vertex a rounded polygon.
struct RoundedWedge {
  Vec2 vertex_mm{0, 0};
  Vec2 normals[2] = {{0.0, -1.0}, {0.0, 1.0}};  ///< unit, counter-clockwise past the vertex
  double radius_mm = 1.0;                       ///< > 0
};

/// f(x) = (d^2 - r^2) / (2 r) with d the distance of x to the wedge, in mm: convex, with |grad f| =
/// 1 on the boundary. Continuously differentiable; the Hessian jumps where the straight sides
/// begin.
double value(const RoundedWedge& shape, const Vec2& x_mm);

/// grad f(x), dimensionless; zero in the wedge.
Vec2 gradient(const RoundedWedge& shape, const Vec2& x_mm);

/// The Hessian of f(x), 1/mm; zero in the wedge.
Mat2 hessian(const RoundedWedge& shape, const Vec2& x_mm);

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

}  // namespace graspmap
