#pragma once

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// The unit vector at an angle from the x axis, rad.
inline Vec2 unit_vector(double angle_rad) {
  const elementary::SinCos angle = elementary::sincos(angle_rad);
  return {angle.cos, angle.sin};
}

}  // namespace graspmap
