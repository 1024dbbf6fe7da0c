#pragma once

#include <cmath>
#include <string>

#include "geometry/part.hpp"

namespace graspmap::testing {

/// The lock piece: a disc with two groups of three teeth, Chakraborty et al. 2014, eq. (56)-(57).
inline Part lock_piece() {
  constexpr double kRadius = 20.75;
  Part part{{{"disc", {kRadius, kRadius, 2.0}, {}}}};
  for (double t : {4.103727, 4.253125, 4.402522, 5.022255, 5.171653, 5.321051}) {
    const Vec2 center = kRadius * Vec2(std::cos(t), std::sin(t));
    part.pieces.push_back(
        {"tooth" + std::to_string(part.pieces.size()), {2.3, 1.1, 4.0}, {center, t}});
  }
  return part;
}

}  // namespace graspmap::testing
