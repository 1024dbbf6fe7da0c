#pragma once

#include <cstring>

#include "sim/closing/model.hpp"

/// Programs of a gripper and what is seen from the table, for tests.

namespace graspmap::testing {

inline bool same_bits(const State& a, const State& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;  // a State has no padding
}

inline Phase move_held(const GripperTwist& twist, double duration_s) {
  return {.drive = JawDrive::kHold,
          .twist = twist,
          .until = PhaseGoal::kDuration,
          .duration_s = duration_s};
}

inline Scenario with_program(Scenario scenario, const GripperProgram& program) {
  scenario.program = program;
  return scenario;
}

/// The part's axes at its centre of mass in the table's frame.
inline Pose2 on_table(const State& state) {
  return compose(state.gripper, {state.part_pose.head<2>(), state.part_pose[2]});
}

/// The part's velocity against the table, in G's axes.
inline Vec3 over_table(const GripperTwist& twist, const State& state) {
  return state.part_velocity + twist.at(state.part_pose.head<2>());
}

}  // namespace graspmap::testing
