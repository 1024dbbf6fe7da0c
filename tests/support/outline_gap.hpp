#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "sim/closing/model.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/region.hpp"

namespace graspmap::testing {

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
