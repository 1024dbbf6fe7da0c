#pragma once

#include "geometry/types.hpp"

namespace graspmap {

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

}  // namespace graspmap
