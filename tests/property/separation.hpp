#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/closing/model.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/keep_largest.hpp"

namespace graspmap::testing {

/// Gaps of superellipses to quarter-planes from support functions alone: two convex bodies are as
/// far apart as the direction says in which they are furthest apart. Nothing of the simulation's
/// own closest points.
class Separation {
 public:
  explicit Separation(const Scenario& scenario) : scenario_(scenario) {}

  /// The smallest gap, mm, or a number between `enough_mm` and it where that is smaller.
  [[nodiscard]] double smallest_mm(const State& state, double enough_mm) const {
    const Pose2 X_GP = part_pose_in_gripper(scenario_, state);
    double least = std::numeric_limits<double>::infinity();
    for (const Piece& piece : scenario_.part.pieces) {
      const Pose2 X_GA = compose(X_GP, piece.pose);
      keep_smallest(least, gap_mm(piece.shape, X_GA, {state.jaw_right_mm, 0.0}, -1.0, enough_mm));
      keep_smallest(least, gap_mm(piece.shape, X_GA, {state.jaw_left_mm, 0.0}, 1.0, enough_mm));
    }
    return least;
  }

 private:
  /// The support function of a superellipse: the conjugate exponent's norm.
  static double support_mm(const Superellipse& shape, const Vec2& u) {
    const double q = shape.exponent / (shape.exponent - 1.0);
    const double x = std::abs(shape.a_mm * u.x());
    const double y = std::abs(shape.b_mm * u.y());
    const double most = std::max(x, y);
    if (most == 0.0) return 0.0;
    return most * std::pow(std::pow(x / most, q) + std::pow(y / most, q), 1.0 / q);
  }

  /// `sign` is that of the jaw's normals along x.
  static double gap_mm(const Superellipse& shape, const Pose2& X_GA, const Vec2& vertex,
                       double sign, double enough_mm) {
    const Rotation2 R(X_GA.angle_rad);
    const Vec2 from_vertex = X_GA.position_mm - vertex;
    const auto along = [&](const Vec2& n) {
      return n.dot(from_vertex) - support_mm(shape, R.inverse_times(n));
    };
    const auto at = [&](double angle) { return along({sign * std::cos(angle), std::sin(angle)}); };
    const double circle = shape.bounding_radius_mm();
    if (sign * from_vertex.x() - circle > enough_mm) return sign * from_vertex.x() - circle;
    if (from_vertex.y() - circle > enough_mm) return from_vertex.y() - circle;
    constexpr double kRight = 0.5 * std::numbers::pi;
    for (const double angle : {0.0, 0.5 * kRight, kRight}) {
      if (const double gap = at(angle); gap > enough_mm) return gap;
    }
    const double coarse = interval_max(at, 0.0, kRight, 16).value;
    if (coarse >= -1e-9 * circle) return coarse;
    return interval_max(at, 0.0, kRight, 4000).value;
  }

  const Scenario& scenario_;
};

}  // namespace graspmap::testing
