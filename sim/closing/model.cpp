#include "sim/closing/model.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {

double most_deflection_mm(const Gripper& gripper) {
  const auto of = [](const std::optional<Pad>& pad) { return pad ? pad->most_deflection_mm : 0.0; };
  return std::max(of(gripper.right_pad), of(gripper.left_pad));
}

std::array<double, 3> friction_by_side(const Gripper& gripper, const TrialParameters& trial) {
  const auto of_jaw = [&](double mu) { return mu < 0.0 ? trial.mu_jaw : mu; };
  return {of_jaw(gripper.mu_right), of_jaw(gripper.mu_left), trial.mu_jaw};
}

State initial_state(const Scenario& scenario, const TrialParameters& trial) {
  const Vec2 p_GP = Vec2(-trial.placement_x_mm, -trial.placement_y_mm) - scenario.gripper.offset_mm;
  const Vec2 p_GB = p_GP + Rotation2(trial.theta_rad) * scenario.mass.center_of_mass_P_mm;
  State state;
  state.part_pose = {p_GB.x(), p_GB.y(), trial.theta_rad};
  state.jaw_right_mm = 0.5 * scenario.gripper.opening_mm;
  state.jaw_left_mm = -state.jaw_right_mm;
  if (scenario.table == TableFrame::kPart) {
    state.gripper = inverse(Pose2{p_GP, trial.theta_rad});
  }
  return state;
}

Pose2 mount_frame(const State& state) {
  return compose(state.gripper, inverse(pose_on_mount(state)));
}

GripperTwist arm_twist(const GripperTwist& twist, const State& state) {
  if (state.mount == Vec3::Zero()) return twist;
  return carried_at(pose_on_mount(state), twist);
}

GripperTwist gripper_twist(const GripperTwist& twist, const State& state) {
  GripperTwist sum = arm_twist(twist, state);
  if (state.mount_velocity == Vec3::Zero()) return sum;
  sum.velocity_mm_s +=
      Rotation2(state.mount[2]).inverse_times(Vec2(state.mount_velocity.head<2>()));
  sum.turn_rad_s += state.mount_velocity[2];
  return sum;
}

Vec3 velocity_in_mount(const State& state) {
  const Rotation2 R_NG(state.mount[2]);
  const double turn = state.mount_velocity[2];
  const Vec2 relative = state.part_velocity.head<2>() + turn * perp(state.part_pose.head<2>());
  const Vec2 velocity = state.mount_velocity.head<2>() + R_NG * relative;
  return {velocity.x(), velocity.y(), state.part_velocity[2] + turn};
}

double mount_energy(const Gripper& gripper, const State& state) {
  if (!gripper.mount) return 0.0;
  // A direction without give has no displacement, and no energy.
  const auto energy = [](double stiffness, double square) {
    return square == 0.0 ? 0.0 : 500.0 * stiffness * square;
  };
  return energy(gripper.mount->sideways_n_per_mm, state.mount.head<2>().squaredNorm()) +
         energy(gripper.mount->turning_n_mm, state.mount[2] * state.mount[2]);
}

double standing_speed_mm_s(const Gripper& gripper, const State& state) {
  if (gripper.right_pad || gripper.left_pad) {
    return std::max(std::abs(state.jaw_right_mm_s), std::abs(state.jaw_left_mm_s));
  }
  return std::max(-state.jaw_right_mm_s, state.jaw_left_mm_s);
}

Pose2 part_pose_in_gripper(const Scenario& scenario, const State& state) {
  const double theta = state.part_pose[2];
  return {state.part_pose.head<2>() - Rotation2(theta) * scenario.mass.center_of_mass_P_mm, theta};
}

}  // namespace graspmap
