#pragma once

#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/model.hpp"

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

}  // namespace graspmap
