#pragma once

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

}  // namespace graspmap
