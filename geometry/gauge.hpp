#pragma once

#include <cmath>

#include "geometry/elementary/elementary.hpp"
#include "geometry/part.hpp"

namespace graspmap {

/// (|x/a|^e + |y/b|^e)^(1/e) - 1, the distance to a piece's boundary in units of the piece's own
/// size: unlike f it neither overflows far away nor flattens near the centre.
inline double gauge(const Piece& piece, const Vec2& x_P_mm) {
  const double f = value(piece.shape, inverse_transform(piece.pose, x_P_mm));
  return elementary::pow(f + 1.0, 1.0 / piece.shape.exponent) - 1.0;
}

/// The boundary parameter of the ray from the piece's centre through x.
inline double parameter_towards(const Piece& piece, const Vec2& x_P_mm) {
  const Vec2 local = inverse_transform(piece.pose, x_P_mm);
  return elementary::atan2(local.y() / piece.shape.b_mm, local.x() / piece.shape.a_mm);
}

}  // namespace graspmap
