#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// What velocities are measured by in a phase that begins in a state, mm/s: the speed that the jaws
/// reach from the opening of the gripper, or that of the table below the part where that is larger
/// or the jaws are held.
double phase_speed_mm_s(const Gripper& gripper, const Phase& phase, const State& start,
                        double reach_mm);

/// A stretch of a phase in closed form: nothing touches the part, which rests on the table. The
/// table moves below G, each jaw obeys m dv/dt = +-F - c v from the velocity that it has, and a
/// mount, which has dampers where it gives way at the start, recovers.
class FreeMotion {
 public:
  /// The phase's jaws are held, or G does not turn: inertial forces on jaws are not in it.
  FreeMotion(const Gripper& gripper, const Phase& phase, const State& start);

  [[nodiscard]] State at(double time_s) const;

  /// No gap changes faster, mm/s; `reach_mm`: the part's.
  [[nodiscard]] double fastest_mm_s(double reach_mm) const;

  /// When driven jaws, which are not yet there, have an opening; at most `longest_s`.
  [[nodiscard]] double time_of(double opening_mm, double longest_s) const;

 private:
  [[nodiscard]] State jaws_at(double time_s) const;
  void recover(double time_s, State& state) const;
  [[nodiscard]] double mount_speed_mm_s(double table_mm_s, double reach_mm) const;

  State start_;
  GripperTwist twist_;
  bool right_moves_ = true;
  bool left_moves_ = true;
  double speed_mm_s_ = 0.0;  ///< > 0 inward: what the jaws' velocity tends to
  double free_mm_s_ = 0.0;   ///< its size
  double tau_s_ = 0.0;       ///< how fast
  double recovers_s_ = 0.0;  ///< how fast the mount does; 0: it stays
};

/// The longest time, at most `longest_s`, for which a motion continues until the first gap falls to
/// `gap_mm` > 0. By conservative advancement: no gap falls to it before.
double free_time(BroadPhase& part, const FreeMotion& motion, double gap_mm, double longest_s);

/// The smallest gap to a finger or the palm in configuration q, or `most_mm` where that is less.
double smallest_gap_within_mm(BroadPhase& part, const Configuration& q, double most_mm);

}  // namespace graspmap
