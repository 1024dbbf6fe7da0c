#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/outline_boundary.hpp"
#include "geometry/outline_shapes.hpp"
#include "sim/closing/model.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/keep_largest.hpp"

namespace graspmap::testing {

/// A region within a loop, and the distance of points from it.
class Region {
 public:
  Region() = default;
  explicit Region(const OutlineLoop& loop) : loop_(loop), curves_(outline_curves(loop)) {}

  [[nodiscard]] const std::vector<OutlineCurve>& curves() const { return curves_; }
  [[nodiscard]] bool empty() const { return curves_.empty(); }

  /// The distance of a point from the boundary, mm, >= 0.
  [[nodiscard]] double boundary_distance_mm(const Vec2& x) const {
    double least = std::numeric_limits<double>::infinity();
    for (const OutlineCurve& curve : curves_) least = std::min(least, distance_mm(curve, x));
    return least;
  }

  /// The same, < 0 within the region.
  [[nodiscard]] double distance_from_mm(const Vec2& x) const {
    const double distance = boundary_distance_mm(x);
    return contains(loop_, x) ? -distance : distance;
  }

  /// True when the point is nearer than `near_mm` to a corner where the region is not convex.
  [[nodiscard]] bool near_reflex_corner(const Vec2& x, double near_mm) const {
    for (std::size_t k = 0; k < curves_.size(); ++k) {
      const OutlineCurve& before = curves_[(k + curves_.size() - 1) % curves_.size()];
      if ((curves_[k].begin_mm - x).norm() < near_mm &&
          cross(tangent_at(before, 1.0), tangent_at(curves_[k], 0.0)) < 0.0) {
        return true;
      }
    }
    return false;
  }

 private:
  OutlineLoop loop_;
  std::vector<OutlineCurve> curves_;
};

/// The smallest of the signed distances of a curve's points, by samples and golden-section search,
/// or a lower bound above `far_mm`. Where the distance has a kink within the curve a corner of the
/// other body is nearest, which is found along that body's curves.
template <typename Distance>
double least_along(const OutlineCurve& curve, const Distance& distance, double far_mm) {
  constexpr int kSamples = 12;
  constexpr int kSections = 30;
  constexpr double kGolden = std::numbers::phi - 1.0;
  const double bound = distance(point_at(curve, 0.5)) - 0.5 * curve.length_mm();
  if (bound > far_mm) return bound;
  const auto f = [&](double s) { return distance(point_at(curve, s)); };
  int nearest = 0;
  double least = f(0.0);
  for (int k = 1; k <= kSamples; ++k) {
    const double value = f(static_cast<double>(k) / kSamples);
    if (value < least) nearest = k;
    keep_smallest(least, value);
  }
  double lo = std::max(nearest - 1.0, 0.0) / kSamples;
  double hi = std::min(nearest + 1.0, 1.0 * kSamples) / kSamples;
  double left = hi - kGolden * (hi - lo);
  double right = lo + kGolden * (hi - lo);
  double at_left = f(left);
  double at_right = f(right);
  for (int k = 0; k < kSections; ++k) {
    if (at_left < at_right) {
      hi = std::exchange(right, left);
      at_right = at_left;
      at_left = f(left = hi - kGolden * (hi - lo));
    } else {
      lo = std::exchange(left, right);
      at_left = at_right;
      at_right = f(right = lo + kGolden * (hi - lo));
    }
  }
  return std::min(least, std::min(at_left, at_right));
}

/// Gaps of a scenario's part to its fingers and palm from sampled boundaries and the distances of
/// points from curves: nothing of the simulation's own contacts.
class OutlineGap {
 public:
  explicit OutlineGap(const Scenario& scenario) : scenario_(scenario) {
    for (const OutlinePiece& piece : scenario.part.outlines) {
      pieces_.emplace_back(placed(piece.outline, piece.pose).outer);
    }
    const Gripper& gripper = scenario.gripper;
    fingers_[0] = Region(gripper.right_finger ? gripper.right_finger->outer : quarter_plane(1.0));
    fingers_[1] = Region(gripper.left_finger ? gripper.left_finger->outer : quarter_plane(-1.0));
    if (gripper.palm) fingers_[2] = Region(gripper.palm->outer);
  }

  /// The smallest gap between the part and what can touch it, or something above 1 mm.
  [[nodiscard]] double smallest_mm(const State& state) const {
    double least = std::numeric_limits<double>::infinity();
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft, JawSide::kPalm}) {
      if (!finger(side).empty()) keep_smallest(least, smallest_mm(state, side));
    }
    return least;
  }

  /// The distance of a point in G from a finger's boundary, mm, >= 0.
  [[nodiscard]] double to_finger_mm(const State& state, JawSide side, const Vec2& x_G) const {
    return finger(side).boundary_distance_mm(x_G - origin(state, side));
  }

  /// The distance of a point in G from the boundaries of the part's pieces, mm, >= 0. That of a
  /// superellipse is exact near its boundary only.
  [[nodiscard]] double to_part_mm(const State& state, const Vec2& x_G) const {
    const Vec2 x_P = inverse_transform(part_pose_in_gripper(scenario_, state), x_G);
    double least = std::numeric_limits<double>::infinity();
    for (const Region& piece : pieces_) least = std::min(least, piece.boundary_distance_mm(x_P));
    for (const Piece& piece : scenario_.part.pieces) {
      const Vec2 x_A = inverse_transform(piece.pose, x_P);
      least = std::min(least, (closest_boundary_point(piece.shape, x_A).position_mm - x_A).norm());
    }
    return least;
  }

  /// How much the distance of a point `step_mm` off a contact with gap psi along its normal falls
  /// short of that from the finger, and on the other side from the part: 0 where the normal is one
  /// of both. Not looked at next to reflex corners.
  [[nodiscard]] double normal_error_mm(const State& state, JawSide side, const Vec2& x_G,
                                       const Vec2& normal, double psi_mm, double step_mm) const {
    double error = 0.0;
    if (!finger(side).near_reflex_corner(x_G - origin(state, side), 4.0 * step_mm)) {
      error = step_mm + psi_mm - to_finger_mm(state, side, x_G + step_mm * normal);
    }
    const Vec2 x_P = inverse_transform(part_pose_in_gripper(scenario_, state), x_G);
    for (const Region& piece : pieces_) {
      if (piece.near_reflex_corner(x_P, 4.0 * step_mm)) return error;
    }
    return std::max(error, step_mm - to_part_mm(state, x_G - step_mm * normal));
  }

 private:
  static OutlineLoop quarter_plane(double side) {
    constexpr double kSize = 400.0;
    return rectangle_loop(kSize, kSize, {0.5 * side * kSize, -0.5 * kSize});
  }

  [[nodiscard]] const Region& finger(JawSide side) const {
    return fingers_[static_cast<std::size_t>(side)];
  }

  static Vec2 origin(const State& state, JawSide side) {
    return {side == JawSide::kRight  ? state.jaw_right_mm
            : side == JawSide::kLeft ? state.jaw_left_mm
                                     : 0.0,
            0.0};
  }

  [[nodiscard]] double smallest_mm(const State& state, JawSide side) const {
    constexpr double kFarMm = 1.0;
    const Pose2 X_GP = part_pose_in_gripper(scenario_, state);
    const Vec2 p_GF = origin(state, side);
    const auto from_finger = [&](const Vec2& x_P) {
      return finger(side).distance_from_mm(transform(X_GP, x_P) - p_GF);
    };
    double least = std::numeric_limits<double>::infinity();
    for (const Region& piece : pieces_) {
      for (const OutlineCurve& curve : piece.curves()) {
        keep_smallest(least, least_along(curve, from_finger, kFarMm));
      }
      const auto from_piece = [&](const Vec2& x_F) {
        return piece.distance_from_mm(inverse_transform(X_GP, x_F + p_GF));
      };
      for (const OutlineCurve& curve : finger(side).curves()) {
        keep_smallest(least, least_along(curve, from_piece, kFarMm));
      }
    }
    for (const Piece& piece : scenario_.part.pieces) {
      const double radius = piece.shape.bounding_radius_mm();
      if (from_finger(piece.pose.position_mm) > radius + kFarMm) continue;
      const auto at = [&](double t) {
        return -from_finger(transform(piece.pose, boundary_point(piece.shape, t).position_mm));
      };
      keep_smallest(least, -periodic_max(at, 64).value);
    }
    return least;
  }

  const Scenario& scenario_;
  std::vector<Region> pieces_;  ///< in P
  std::array<Region, 3> fingers_;
};

}  // namespace graspmap::testing
