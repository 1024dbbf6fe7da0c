#include "sim/closing/free_motion.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "sim/closing/step_data.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// Of the table against N at any point of a part that rests on it.
double table_speed_mm_s(const GripperTwist& twist, const State& state, double reach_mm) {
  const Vec3 table = arm_twist(twist, state).at(state.part_pose.head<2>());
  return table.head<2>().norm() + std::abs(table[2]) * reach_mm;
}

}  // namespace

double phase_speed_mm_s(const Gripper& gripper, const Phase& phase, const State& start,
                        double reach_mm) {
  const double jaws = FreeTravel(gripper).reached_speed_mm_s(0.5 * gripper.opening_mm);
  const double table = table_speed_mm_s(phase.twist, start, reach_mm);
  return phase.drive == JawDrive::kHold && table > 0.0 ? table : std::max(jaws, table);
}

FreeMotion::FreeMotion(const Gripper& gripper, const Phase& phase, const State& start)
    : start_(start),
      twist_(phase.twist),
      right_moves_(phase.drive != JawDrive::kHold && moves(gripper.coupling, JawSide::kRight)),
      left_moves_(phase.drive != JawDrive::kHold && moves(gripper.coupling, JawSide::kLeft)) {
  if (gripper.mount && start.mount != Vec3::Zero()) recovers_s_ = gripper.mount->damping_s;
  const FreeTravel free(gripper);
  free_mm_s_ = free.speed_mm_s;
  speed_mm_s_ = closing_sign(phase.drive) * free_mm_s_;
  tau_s_ = free.tau_s;
}

State FreeMotion::jaws_at(double time_s) const {
  State state = start_;
  if (!right_moves_ && !left_moves_) return state;
  const double share = -elementary::expm1(-time_s / tau_s_);  // of the way to the final velocity
  const auto move = [&](double final_mm_s, double& x_mm, double& v_mm_s) {
    x_mm += final_mm_s * time_s + (v_mm_s - final_mm_s) * tau_s_ * share;
    v_mm_s += (final_mm_s - v_mm_s) * share;
  };
  if (right_moves_) move(-speed_mm_s_, state.jaw_right_mm, state.jaw_right_mm_s);
  if (left_moves_) move(speed_mm_s_, state.jaw_left_mm, state.jaw_left_mm_s);
  return state;
}

State FreeMotion::at(double time_s) const {
  State state = jaws_at(time_s);
  state.part_velocity.setZero();
  if (recovers_s_ > 0.0) {
    recover(time_s, state);
    return state;
  }
  if (!twist_.moves()) return state;
  state.part_pose = left_behind(twist_, start_.part_pose, time_s);
  state.part_velocity = -twist_.at(state.part_pose.head<2>());
  state.gripper = compose(start_.gripper, moved_by(twist_, time_s));
  return state;
}

/// A gripper without mass on springs and dampers: g = 0 in its balance.
void FreeMotion::recover(double time_s, State& state) const {
  const Pose2 X_TB = compose(start_.gripper, {start_.part_pose.head<2>(), start_.part_pose[2]});
  state.mount = elementary::exp(-time_s / recovers_s_) * start_.mount;
  state.mount_velocity = -state.mount / recovers_s_;
  state.gripper =
      compose(compose(mount_frame(start_), moved_by(twist_, time_s)), pose_on_mount(state));
  const Pose2 X_GB = compose(inverse(state.gripper), X_TB);
  state.part_pose = {X_GB.position_mm.x(), X_GB.position_mm.y(), X_GB.angle_rad};
  state.part_velocity = -gripper_twist(twist_, state).at(state.part_pose.head<2>());
}

/// How fast the mount moves any point of the part, which may move away as long as it recovers.
double FreeMotion::mount_speed_mm_s(double table_mm_s, double reach_mm) const {
  if (recovers_s_ == 0.0) return 0.0;
  const double away_mm = start_.part_pose.head<2>().norm() + start_.mount.head<2>().norm() +
                         reach_mm + table_mm_s * recovers_s_;
  return (start_.mount.head<2>().norm() + std::abs(start_.mount[2]) * away_mm) / recovers_s_;
}

double FreeMotion::fastest_mm_s(double reach_mm) const {
  double table = table_speed_mm_s(twist_, start_, reach_mm);
  table += mount_speed_mm_s(table, reach_mm);
  if (!right_moves_ && !left_moves_) return table;
  return table +
         std::max({free_mm_s_, std::abs(start_.jaw_right_mm_s), std::abs(start_.jaw_left_mm_s)});
}

/// The opening may first change the other way, and then changes ever faster: bisection.
double FreeMotion::time_of(double opening_mm, double longest_s) const {
  const double closing = speed_mm_s_ > 0.0 ? 1.0 : -1.0;
  const auto left_mm = [&](double t) {
    const State state = jaws_at(t);
    return closing * (state.jaw_right_mm - state.jaw_left_mm - opening_mm);
  };
  if (left_mm(longest_s) > 0.0) return longest_s;
  double before = 0.0;
  double after = longest_s;
  for (int k = 0; k < tolerances::kMostIterations; ++k) {
    const double middle = 0.5 * (before + after);
    (left_mm(middle) > 0.0 ? before : after) = middle;
  }
  return after;
}

double smallest_gap_within_mm(BroadPhase& part, const Configuration& q, double most_mm) {
  double smallest = most_mm;
  part.visit_near_contacts(q, part.least_gap_mm(0.0), most_mm, tolerances::kRounding,
                           [&](const Pair& pair, const ClosestPoints& closest) {
                             if (pair.side == JawSide::kObstacle) return;
                             smallest = std::min(smallest, closest.psi_mm);
                           });
  return smallest;
}

double free_time(BroadPhase& part, const FreeMotion& motion, double gap_mm, double longest_s) {
  const double speed = motion.fastest_mm_s(part.reach_mm());
  const double look_mm = 0.5 * part.reach_mm();
  double within_mm = look_mm;
  double time_s = 0.0;
  for (int k = 0; k < tolerances::kMostAdvances && time_s < longest_s; ++k) {
    const double found = smallest_gap_within_mm(part, Configuration(motion.at(time_s)), within_mm);
    const double left_mm = found - gap_mm;
    if (left_mm <= tolerances::kClosedGapMm) break;
    if (speed == 0.0) return longest_s;
    time_s = std::min(time_s + left_mm / speed, longest_s);
    within_mm = std::min(2.0 * found, look_mm);
  }
  return time_s;
}

}  // namespace graspmap
