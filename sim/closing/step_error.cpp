#include "sim/closing/step_error.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

double StepError::largest_turn_rad(const Iterate& now) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (now.x.p_n[i] <= 0.0) continue;
    const Pair& pair = equations_.pairs().pair[i];
    Vec2 before = memory_.at(equations_.pairs().place[i]).normal;
    if (before == Vec2::Zero()) {
      before = closest_points(*equations_.data().bodies, pair, equations_.data().start_at).normal;
    }
    largest = std::max(largest, std::abs(cross(before, now.at.closest[i].normal)));
  }
  return largest;
}

void StepError::estimate(const Iterate& now, const State& end, StepReport& report) const {
  const StepData& data = equations_.data();
  const StepHistory& history = data.history;
  report.position_error_mm = position_error_mm(history.order, now, end);
  if (history.order == 1 && !history.impact) report.position_error_mm += lost_force_error_mm(now);
  if (history.order == 2 && report.position_error_mm > trial_.scenario->tolerance_mm) {
    report.first_order_error_mm = position_error_mm(1, now, end) + lost_force_error_mm(now);
  }
  if (history.order == 1 && history.before != nullptr && equations_.pairs().any_soft) {
    report.second_order_error_mm = position_error_mm(2, now, end);
  }
  if (report.position_error_mm > trial_.scenario->tolerance_mm) {
    const Vec3 change = end.part_velocity - data.start.part_velocity;
    report.jump_error_mm = PositionError(change, data.step_s, data.reach_mm).mm();
  }
  find_landing(now, end, report);
}

/// True for a contact that has passed on to another feature in the step, as from a side to a
/// corner.
bool StepError::passes_on(std::size_t i, const Iterate& now) const {
  return equations_.pair_at(i, now.x) != equations_.pairs().pair[i];
}

/// A step of first order is off by h/2 (nu^(l+1) - nu^l). One of second order is off by
/// h^2 (h + h')^2 / (6 (2 h + h')) d^3q/dt^3, with h' the step before and the third derivative from
/// the divided differences of the last three velocities. The change of velocities counts for at
/// least a share of the time for which errors in them put the part off.
double StepError::position_error_mm(int order, const Iterate& now, const State& end) const {
  const StepData& data = equations_.data();
  const StepHistory& history = data.history;
  const State& start = data.start;
  const double h = data.step_s;
  double time_s = h;
  double w = 0.0;  // the last step's change of the velocities is continued by so many times itself
  if (order == 2) {
    w = h / history.before_s;
    time_s = 2.0 * h * (h + history.before_s) / (3.0 * (2.0 * h + history.before_s));
  }
  const double share = order == 2 ? tolerances::kVelocityShare2 : tolerances::kVelocityShare1;
  time_s = std::max(time_s, share * trial_.persistence_s);
  const State& before = order == 2 ? *history.before : start;
  const auto change = [w]<typename Value>(const Value& after, const Value& mid,
                                          const Value& last) -> Value {
    return w == 0.0 ? Value(after - mid) : Value(after - mid - w * (mid - last));
  };
  PositionError error(change(end.part_velocity, start.part_velocity, before.part_velocity), time_s,
                      data.reach_mm);
  const bool on_mount = data.mount != nullptr && data.uses_table;
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (!memory_.stays_closed(equations_, i, now.x) || passes_on(i, now)) continue;
    const ClosestPoints& closest = now.at.closest[i];
    const JawSide side = equations_.pairs().pair[i].side;
    const double jaw_change = change(jaw_velocity_mm_s(end, side), jaw_velocity_mm_s(start, side),
                                     jaw_velocity_mm_s(before, side));
    double passing = 0.0;
    if (on_mount && side == JawSide::kObstacle) {
      const auto obstacle_mm_s = [&](const State& state) {
        return -closest.normal.dot(
            gripper_twist(trial_.twist, state).at(closest.on_piece_mm).head<2>());
      };
      passing = change(obstacle_mm_s(end), obstacle_mm_s(start), obstacle_mm_s(before));
    }
    error.keep_closed(closest.normal, closest.on_piece_mm - end.part_pose.head<2>(), jaw_change,
                      kept_share(i, now.at), passing);
  }
  if (!on_mount) return error.mm();
  // The part moves on the table as G does.
  const double away_mm = data.reach_mm + end.part_pose.head<2>().norm();
  const Vec3 mount = change(end.mount_velocity, start.mount_velocity, before.mount_velocity);
  return std::max(error.mm(), PositionError(mount, time_s, away_mm).mm());
}

/// What a spring of stiffness k takes away of the motion of a mass m in an implicit step:
/// h^2 k / (m + h^2 k).
double StepError::kept_share(std::size_t i, const StepEvaluation& at) const {
  if (!equations_.pairs().any_soft) return 1.0;
  const StepData& data = equations_.data();
  const double mass = data.inertia[0] * data.inertia[3] / (data.inertia[0] + data.inertia[3]);
  return data.h / (data.h + mass * at.deflection[i].per_impulse);
}

/// A contact that opens in a step of first order has no impulse in it, whenever it opens: the
/// velocities at the end are off by half of what its force would have given in all of the step.
double StepError::lost_force_error_mm(const Iterate& now) const {
  const StepData& data = equations_.data();
  Vec3 change = Vec3::Zero();
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    const StepMemory::PairMemory& m = memory_.at(equations_.pairs().place[i]);
    if (m.f_n <= 0.0 || now.x.p_n[i] > 0.0) continue;
    const double f_n = memory_.after_impact()
                           ? std::min(m.f_n, drive_force_mn(equations_.pairs().pair[i].side))
                           : m.f_n;
    const double f_t = m.f_t * (f_n / m.f_n);
    const Vec2 force = f_n * m.normal + f_t * perp(m.normal);
    const Vec2 arm = m.on_piece_mm - data.start.part_pose.head<2>();
    change.head<2>() += force;
    change[2] += cross(arm, force);
  }
  change = 0.5 * data.step_s * change.cwiseQuotient(data.inertia.head<3>());
  const double time_s = std::max(data.step_s, tolerances::kVelocityShare2 * trial_.persistence_s);
  return 0.5 * time_s * (change.head<2>().norm() + std::abs(change[2]) * data.reach_mm);
}

/// About the force with which a jaw at its speed at the start of the step, and the table, hold the
/// part in touch, mN: the acceleration of a jaw that closes and the table's deceleration of the
/// part.
double StepError::drive_force_mn(JawSide side) const {
  const Gripper& gripper = trial_.scenario->gripper;
  const double closing = std::abs(jaw_velocity_mm_s(equations_.data().start, side));
  const double lag = std::max(1.0 - closing / gripper.closing_speed_mm_s, 0.0);
  const double closes = trial_.drive == JawDrive::kClose ? kMillinewtonsPerNewton : 0.0;
  const double jaw_mm_s2 = closes * lag * gripper.closing_force_n / gripper.jaw_mass_kg;
  return equations_.data().inertia[0] *
         (jaw_mm_s2 + trial_.mu_support * trial_.scenario->gravity_mm_s2);
}

/// True for a contact without a gap at the start of the step, as where one walks on to the next
/// element.
bool StepError::was_closed(std::size_t i) const {
  double psi_mm = equations_.pairs().start_gap_mm[i];
  if (std::isinf(psi_mm)) {
    psi_mm = closest_points(*equations_.data().bodies, equations_.pairs().pair[i],
                            equations_.data().start_at)
                 .psi_mm;
  }
  return psi_mm <= tolerances::kClosedGapMm;
}

/// Looks at the contacts that carry an impulse in this step and did not before. A gap that is
/// closed at the end closes at the speed of the end for all of the step; it was closed the sooner
/// the faster it closed at the start.
void StepError::find_landing(const Iterate& now, const State& end, StepReport& report) const {
  for (std::size_t i = 0; i < index(equations_.pairs().size); ++i) {
    if (now.x.p_n[i] <= 0.0 || memory_.at(equations_.pairs().place[i]).f_n > 0.0 || was_closed(i))
      continue;
    const JawSide side = equations_.pairs().pair[i].side;
    const double closing = -gap_rate_mm_s(now.at.closest[i], end, side, trial_.twist);
    if (closing <= report.landing_speed_mm_s) continue;
    report.landing_speed_mm_s = closing;
    report.lands_on_pad = equations_.pairs().any_soft && equations_.pairs().pad[i].is_soft;
    const double before =
        -gap_rate_mm_s(now.at.closest[i], equations_.data().start, side, trial_.twist);
    report.landing_share = before > closing ? closing / before : 1.0;
  }
}

}  // namespace graspmap
