#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/closest_points.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/step_equations.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The velocity in G of a jaw, mm/s; 0 for what no drive moves.
inline double jaw_velocity_mm_s(const State& state, JawSide side) {
  if (side == JawSide::kRight) return state.jaw_right_mm_s;
  return side == JawSide::kLeft ? state.jaw_left_mm_s : 0.0;
}

/// d psi / dt of a pair whose closest points are given, mm/s, while the robot moves the gripper
/// with `twist`.
inline double gap_rate_mm_s(const ClosestPoints& closest, const State& state, JawSide side,
                            const GripperTwist& twist) {
  const Vec2 arm = closest.on_piece_mm - state.part_pose.head<2>();
  Vec2 velocity = state.part_velocity.head<2>() + state.part_velocity[2] * perp(arm);
  if (side == JawSide::kObstacle) {
    velocity += gripper_twist(twist, state).at(closest.on_piece_mm).head<2>();
  }
  return closest.normal.dot(velocity) - closest.normal.x() * jaw_velocity_mm_s(state, side);
}

/// How far a point of the part's boundary is off after one step, estimated, when velocities that
/// are off by `change` for `time_s` / 2 put it off. A step q^(l+1) = q^l + h nu^(l+1) of first
/// order is off by h/2 (nu^(l+1) - nu^l), apart from terms of higher order. Contacts that stay
/// closed take away what would open or overlap them: the estimate is the nearest motion of the part
/// that keeps their gaps, with the jaws off by their part of the same.
class PositionError {
 public:
  /// `change` of the part's velocity, (mm/s, mm/s, rad/s); `reach_mm` is the largest distance of a
  /// point of the part from its centre of mass.
  PositionError(const Vec3& change, double time_s, double reach_mm)
      : time_s_(time_s),
        reach_mm_(reach_mm),
        offset_mm_(0.5 * time_s * change.cwiseProduct(Vec3(1.0, 1.0, reach_mm))) {
    free_mm_ = boundary_mm(offset_mm_);
  }

  /// Takes in a contact that was closed before the step and carries an impulse in it. `normal` is
  /// out of the jaw, `arm_mm` from the centre of mass to the contact point, `jaw_change_mm_s` the
  /// change of the jaw's velocity. A pad takes away a `share` of what would change its gap.
  /// `passing_mm_s`: the change, along the normal, of an obstacle's velocity in G. Gram and
  /// Schmidt's method: the offset moves along the part of the gap's gradient that is orthogonal to
  /// those before, so that their gaps stay.
  void keep_closed(const Vec2& normal, const Vec2& arm_mm, double jaw_change_mm_s,
                   double share = 1.0, double passing_mm_s = 0.0) {
    if (constraints_ == 3) return;
    const Vec3 gradient(normal.x(), normal.y(), cross(arm_mm, normal) / reach_mm_);
    Vec3 direction = gradient;
    for (int k = 0; k < constraints_; ++k) {
      direction -= directions_.col(k).dot(direction) * directions_.col(k);
    }
    const double length = direction.norm();
    if (length < tolerances::kNegligible) return;
    direction /= length;
    const double gap_mm = gradient.dot(offset_mm_) - normal.x() * 0.5 * time_s_ * jaw_change_mm_s -
                          0.5 * time_s_ * passing_mm_s;
    offset_mm_ -= share * gap_mm / length * direction;
    directions_.col(constraints_++) = direction;
  }

  /// The estimate, mm: at most the one without contacts and, for the terms of higher order, at
  /// least kLeastErrorShare of that.
  [[nodiscard]] double mm() const {
    return std::clamp(boundary_mm(offset_mm_), tolerances::kLeastErrorShare * free_mm_, free_mm_);
  }

 private:
  static double boundary_mm(const Vec3& offset_mm) {
    return offset_mm.head<2>().norm() + std::abs(offset_mm[2]);
  }

  double time_s_;
  double reach_mm_;
  double free_mm_ = 0.0;  ///< without contacts
  Vec3 offset_mm_;        ///< (x, y, reach times angle)
  int constraints_ = 0;
  Eigen::Matrix3d directions_;  ///< by column, orthonormal: what the contacts so far determine
};

/// The error of a solved step and the contacts it missed, for its report.
class StepError {
 public:
  StepError(const TrialData& trial, const StepMemory& memory, const StepEquations& equations)
      : trial_(trial), memory_(memory), equations_(equations) {}

  /// The errors of the part's position, and the landing.
  void estimate(const Iterate& now, const State& end, StepReport& report) const;

  /// The largest angle by which the normal of a contact that carries an impulse has turned.
  [[nodiscard]] double largest_turn_rad(const Iterate& now) const;

 private:
  [[nodiscard]] double position_error_mm(int order, const Iterate& now, const State& end) const;
  [[nodiscard]] double lost_force_error_mm(const Iterate& now) const;
  [[nodiscard]] double drive_force_mn(JawSide side) const;
  [[nodiscard]] bool passes_on(std::size_t i, const Iterate& now) const;
  [[nodiscard]] double kept_share(std::size_t i, const StepEvaluation& at) const;
  [[nodiscard]] bool was_closed(std::size_t i) const;
  void find_landing(const Iterate& now, const State& end, StepReport& report) const;

  const TrialData& trial_;
  const StepMemory& memory_;
  const StepEquations& equations_;
};

}  // namespace graspmap
