#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The closing of both jaws from rest with nothing in between: each obeys
/// m dv/dt = F - c v, so v(t) = v_c (1 - exp(-t/tau)), s(t) = v_c (t - tau (1 - exp(-t/tau))),
/// with tau = m/c and v_c = F/c the free closing speed.
struct FreeTravel {
  double speed_mm_s = 0.0;  ///< v_c
  double tau_s = 0.0;

  /// The jaws of a gripper, each under its whole closing force.
  explicit FreeTravel(const Gripper& gripper);

  [[nodiscard]] double speed_at(double time_s) const;   ///< v(t), mm/s
  [[nodiscard]] double travel_at(double time_s) const;  ///< s(t), mm
  /// What velocities are measured by in a closing over `travel_mm`, mm/s: v_c, or what the jaws
  /// reach where they accelerate for all of the way.
  [[nodiscard]] double reached_speed_mm_s(double travel_mm) const;
  /// The time, s, at which each jaw has moved by `travel_mm` >= 0.
  [[nodiscard]] double time_of(double travel_mm) const;
};

/// How far each jaw can close from `state` (part at rest) before a first gap falls to `gap_mm` > 0,
/// or `limit_mm` if none does.
double travel_to_contact_mm(const BroadPhase& part, const State& state, double limit_mm,
                            double gap_mm);

/// Closes the jaws of `state`, the start of a trial, until a first gap falls to `gap_mm` > 0, they
/// are closed or the time is over: nothing touches the part before, so it rests, and the jaws close
/// freely. `part` is the scenario's. Returns the time that it took, s.
double skip_free_travel(const Scenario& scenario, const BroadPhase& part, double gap_mm,
                        State& state);

}  // namespace graspmap
