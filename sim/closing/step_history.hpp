#pragma once

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
};

/// A step of second order (BDF2 with variable step) is one of first order of the size `h` from an
/// extrapolated state: with w the ratio of its size to that of the step before,
/// q^(l+1) = q* + b h nu^(l+1) and M nu^(l+1) = M nu* + b h F + impulses, where
/// x* = x^l + w^2 / (1 + 2 w) (x^l - x^(l-1)) and b = (1 + w) / (1 + 2 w). So contacts hold at its
/// end just as at the end of a step of first order: Chakraborty et al. 2014, eq. (6).
struct StepBase {
  State state;
  double h = 0.0;
};

inline StepBase step_base(const State& start, double h, const StepHistory& history) {
  if (history.order < 2) return {start, h};
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
  base.h = h * (1.0 + w) / (1.0 + 2.0 * w);
  return base;
}

}  // namespace graspmap
