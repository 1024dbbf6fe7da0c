#pragma once

#include <cstring>

#include "sim/closing/model.hpp"
#include "tests/support/random_parts.hpp"

/// Programs of a gripper and what is seen from the table, for tests.

namespace graspmap::testing {

inline bool same_bits(const State& a, const State& b) {
  // A State has no padding.
  return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison): bits
}

inline Phase move_held(const GripperTwist& twist, double duration_s) {
  return {.drive = JawDrive::kHold,
          .twist = twist,
          .until = PhaseGoal::kDuration,
          .duration_s = duration_s};
}

inline Phase close_until_stopped() { return {}; }

inline Phase open_to(double opening_mm) {
  return {.drive = JawDrive::kOpen, .until = PhaseGoal::kOpening, .opening_mm = opening_mm};
}

/// The turn of G about a point of it.
inline GripperTwist turn_about(const Vec2& point_G_mm, double turn_rad_s) {
  return {-turn_rad_s * perp(point_G_mm), turn_rad_s};
}

/// A program of 3 to 5 phases of any kind.
inline GripperProgram random_program(Random& random, double opening_mm) {
  GripperProgram program;
  const int phases = 3 + random.index(3);
  for (int k = 0; k < phases; ++k) {
    Phase phase;
    phase.drive = k == 0 ? JawDrive::kClose : static_cast<JawDrive>(random.index(3));
    const bool moves = phase.drive == JawDrive::kHold || random.index(2) == 0;
    if (moves) {
      phase.twist.velocity_mm_s = {random.uniform(-60.0, 60.0), random.uniform(-60.0, 60.0)};
      if (random.index(2) == 0) phase.twist.turn_rad_s = random.uniform(-2.0, 2.0);
    }
    phase.until = PhaseGoal::kDuration;
    phase.duration_s = random.uniform(0.05, 0.6);
    if (phase.drive == JawDrive::kClose && random.index(2) == 0) {
      phase.until = PhaseGoal::kStopped;
      phase.duration_s = 3.0;
    }
    if (phase.drive == JawDrive::kOpen && random.index(4) != 0) {
      phase.until = PhaseGoal::kOpening;
      phase.opening_mm = random.uniform(0.3, 1.0) * opening_mm;
      phase.duration_s = 3.0;
    }
    program.push_back(phase);
  }
  return program;
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
