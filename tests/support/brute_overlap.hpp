#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/closing/model.hpp"

namespace graspmap::testing {

/// How deep a part of superellipses and jaws that are quarter-planes overlap, mm, 0 where they do
/// not: by points of the pieces' boundaries that lie in a jaw, and by fingertips in a piece. With
/// nothing of the simulation's own contacts. At most the true depth.
inline double brute_overlap_mm(const Scenario& scenario, const State& state, int points = 180) {
  const Pose2 X_GP = part_pose_in_gripper(scenario, state);
  double deepest = 0.0;
  for (const Piece& piece : scenario.part.pieces) {
    const Pose2 X_GA = compose(X_GP, piece.pose);
    const Superellipse& shape = piece.shape;
    const double e = shape.exponent;
    const auto gauge = [&](double x, double y) {
      return std::pow(std::pow(std::abs(x), e) + std::pow(std::abs(y), e), 1.0 / e);
    };
    for (const double side : {1.0, -1.0}) {
      const double jaw_mm = side > 0.0 ? state.jaw_right_mm : state.jaw_left_mm;
      for (int k = 0; k < points; ++k) {
        const double t = 2.0 * std::numbers::pi * k / points;
        const double scale = 1.0 / gauge(std::cos(t), std::sin(t));
        const Vec2 x =
            transform(X_GA, scale * Vec2(shape.a_mm * std::cos(t), shape.b_mm * std::sin(t)));
        deepest = std::max(deepest, std::min(side * (x.x() - jaw_mm), -x.y()));
      }
      const Vec2 tip = inverse_transform(X_GA, Vec2(jaw_mm, 0.0));
      const double inside = 1.0 - gauge(tip.x() / shape.a_mm, tip.y() / shape.b_mm);
      deepest = std::max(deepest, inside * std::min(shape.a_mm, shape.b_mm));
    }
  }
  return deepest;
}

}  // namespace graspmap::testing
