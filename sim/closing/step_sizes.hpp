#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The velocity of a side of the gripper, mm/s; the palm's is 0.
inline double jaw_velocity_mm_s(const State& state, JawSide side) {
  if (side == JawSide::kRight) return state.jaw_right_mm_s;
  return side == JawSide::kLeft ? state.jaw_left_mm_s : 0.0;
}

/// d psi / dt of a pair whose closest points are given, mm/s.
inline double gap_rate_mm_s(const ClosestPoints& closest, const State& state, JawSide side) {
  const Vec2 arm = closest.on_piece_mm - state.part_pose.head<2>();
  const Vec2 velocity = state.part_velocity.head<2>() + state.part_velocity[2] * perp(arm);
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
  /// change of the jaw's velocity. Gram and Schmidt's method: the offset moves along the part of
  /// the gap's gradient that is orthogonal to those before, so that their gaps stay.
  void keep_closed(const Vec2& normal, const Vec2& arm_mm, double jaw_change_mm_s) {
    if (constraints_ == 3) return;
    const Vec3 gradient(normal.x(), normal.y(), cross(arm_mm, normal) / reach_mm_);
    Vec3 direction = gradient;
    for (int k = 0; k < constraints_; ++k) {
      direction -= directions_.col(k).dot(direction) * directions_.col(k);
    }
    const double length = direction.norm();
    if (length < tolerances::kDependentGradient) return;
    direction /= length;
    const double gap_mm = gradient.dot(offset_mm_) - normal.x() * 0.5 * time_s_ * jaw_change_mm_s;
    offset_mm_ -= gap_mm / length * direction;
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

/// The steps of a trial of second order (Scenario::order): their sizes, so that their estimated
/// error stays within the tolerance, and what they continue. Between events the motion is smooth
/// and takes few steps. A step ends where a contact is about to close. The impact is two steps of
/// almost no duration. After it some steps are of first order, since the motion before it tells
/// nothing.
class SecondOrderSteps {
 public:
  /// `part`: the scenario's. `memory`: what is known of its contacts, if anything.
  SecondOrderSteps(const Scenario& scenario, double mu_support, BroadPhase& part,
                   const StepMemory* memory = nullptr);

  /// The size for a step from `state`, s, at most step_s and `left_s`, the time until the stop rule
  /// could end the trial.
  [[nodiscard]] double propose(const State& state, double left_s);

  /// What the step for which propose() was called last continues.
  [[nodiscard]] StepHistory history() const;

  /// False when a step of h must be solved again with another size or order. Not so one whose
  /// error is that of a larger one: the velocities jump in it, as where a part jams.
  [[nodiscard]] bool is_enough(double h, const StepReport& report);

  /// The size with which a step that has no solution is tried again.
  [[nodiscard]] double halved(double h) const {
    const double flight_s = impact_ ? flight_s_ : 0.0;
    return flight_s + 0.5 * (h - flight_s);
  }

  /// The size with which a step that is off too much is tried again; its order may be another.
  [[nodiscard]] double retry(double h, const StepReport& report);

  /// Takes in a step from `before` to `after`.
  void accepted(const State& before, const State& after, double h, const StepReport& report);

  /// Nothing is known of the motion that goes on from `after`.
  void restart(const State& after);

 private:
  [[nodiscard]] bool is_second() const;
  [[nodiscard]] bool misses_landing(double h, const StepReport& report) const;
  [[nodiscard]] bool rests(const State& state) const;
  [[nodiscard]] double change(double error_mm) const;
  [[nodiscard]] double until_landing(const State& state, double h);
  [[nodiscard]] double flight_time(const State& state, const Pair& pair, double psi_mm,
                                   double closing_mm_s) const;
  [[nodiscard]] double landing_time(const State& state, const Pair& pair,
                                    const ClosestPoints& closest, double h, double motion_mm,
                                    double aim_mm) const;
  [[nodiscard]] double gap_after(const State& state, const Pair& pair, double t, double enough_mm,
                                 ContactPoint& point) const;
  [[nodiscard]] double approach_mm_s(const State& state, const Configuration& q,
                                     const BodyPiece& piece, JawSide side) const;
  template <typename Visit>
  void visit_open_contacts(const State& state, double h, const Visit& visit);
  [[nodiscard]] State predicted(const State& state, double h) const;

  const Scenario& scenario_;
  BroadPhase& part_;
  const StepMemory* memory_;
  double friction_mm_s2_;  ///< the table's deceleration of the part
  double speed_mm_s_;      ///< of the jaws, at half of their way
  double impact_s_;        ///< size of an impact's last step
  double next_s_;
  bool impact_ = false;       ///< the next step is one of an impact
  double flight_s_ = 0.0;     ///< StepHistory::flight_s
  bool first_order_ = false;  ///< the step is tried again with first order
  double last_error_mm_ = std::numeric_limits<double>::infinity();  ///< of the last try of the step
  int smooth_steps_ = 0;                                            ///< since the last event
  State before_;  ///< the state before the last of them
  double before_s_ = 0.0;
};

}  // namespace graspmap
