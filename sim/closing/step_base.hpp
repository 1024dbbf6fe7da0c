#pragma once

#include "geometry/assert.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// How a step continues the motion before it. As it is made: a step of first order after an event.
struct StepHistory {
  int order = 1;  ///< of the step; 2 needs `before`
  /// The state one step before, when the motion between was smooth; else nothing. Velocities that
  /// were not those at the start of the last step, as after an impact, must not be in it.
  const State* before = nullptr;
  double before_s = 0.0;  ///< the size of that step
  bool impact = false;    ///< almost no time passes: the velocities jump
  /// For how long part and jaws keep moving as they come in an impact's step, until they meet, s.
  double flight_s = 0.0;
};

/// A step of second order (BDF2 with variable step) is one of first order of the size `h` from an
/// extrapolated state: with w the ratio of its size to that of the step before,
/// q^(l+1) = q* + b h nu^(l+1) and M nu^(l+1) = M nu* + b h F + impulses, where
/// x* = x^l + w^2 / (1 + 2 w) (x^l - x^(l-1)) and b = (1 + w) / (1 + 2 w). So contacts hold at its
/// end just as at the end of a step of first order: Chakraborty et al. 2014, eq. (6).
///
/// An impact is one step: for `flight_s` part and jaws move by the velocities that they come with,
/// for the rest `h` by those that they leave with, q^(l+1) = q^l + flight_s nu^l + h nu^(l+1).
/// Forces act all the time.
struct StepBase {
  State state;
  double h = 0.0;             ///< for which nu^(l+1) moves part and jaws
  double force_s = 0.0;       ///< for which forces act: h, and in an impact the whole step
  double extrapolated = 0.0;  ///< a in x* = x^l + a (x^l - x^(l-1))
};

inline StepBase step_base(const State& start, double h, const StepHistory& history) {
  if (history.impact) {
    GRASPMAP_ASSERT(history.flight_s >= 0.0 && history.flight_s < h);
    const double t = history.flight_s;
    StepBase base{start, h - t, h};
    base.state.part_pose += t * start.part_velocity;
    base.state.jaw_right_mm += t * start.jaw_right_mm_s;
    base.state.jaw_left_mm += t * start.jaw_left_mm_s;
    base.state.mount += t * start.mount_velocity;
    return base;
  }
  if (history.order < 2) return {start, h, h};
  GRASPMAP_ASSERT(history.before != nullptr && history.before_s > 0.0);
  const State& before = *history.before;
  const double w = h / history.before_s;
  const double a = w * w / (1.0 + 2.0 * w);
  const auto extrapolate = [a]<typename Value>(const Value& now, const Value& last) -> Value {
    return now + a * (now - last);
  };
  StepBase base;
  base.state.part_pose = extrapolate(start.part_pose, before.part_pose);
  base.state.part_velocity = extrapolate(start.part_velocity, before.part_velocity);
  base.state.jaw_right_mm = extrapolate(start.jaw_right_mm, before.jaw_right_mm);
  base.state.jaw_left_mm = extrapolate(start.jaw_left_mm, before.jaw_left_mm);
  base.state.jaw_right_mm_s = extrapolate(start.jaw_right_mm_s, before.jaw_right_mm_s);
  base.state.jaw_left_mm_s = extrapolate(start.jaw_left_mm_s, before.jaw_left_mm_s);
  base.state.mount = extrapolate(start.mount, before.mount);
  base.h = base.force_s = h * (1.0 + w) / (1.0 + 2.0 * w);
  base.extrapolated = a;
  return base;
}

}  // namespace graspmap
