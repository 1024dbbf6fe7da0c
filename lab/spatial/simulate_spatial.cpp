#include "lab/spatial/simulate_spatial.hpp"

#include <algorithm>

namespace graspmap {
namespace {

bool is_finite(const SpatialState& state) {
  return std::all_of(state.poses.begin(), state.poses.end(),
                     [](const Pose3& pose) {
                       return is_finite_motion(pose.position_mm) &&
                              is_finite_motion(pose.orientation.coeffs());
                     }) &&
         std::all_of(state.velocities.begin(), state.velocities.end(),
                     [](const Twist& velocity) { return is_finite_motion(velocity); });
}

}  // namespace

SceneRun simulate_spatial(const SpatialScene& scene, SpatialStepper& stepper,
                          const SceneRunSettings& settings, const SnapshotObserver& observer) {
  const auto take_step = [&](const SpatialState& start, double h, SpatialStep& step) {
    stepper.step(scene, start, h, step);
  };
  const auto show = [&](const SpatialState& state, const SpatialStep*, SpatialSnapshot& shown) {
    shown.poses = state.poses;
    shown.velocities = state.velocities;
    shown.contacts = state.contacts;
    for (const SpatialJoint& joint : scene.joints) {
      const Pose3& pose = state.poses[static_cast<std::size_t>(joint.body_a)];
      shown.joints_mm.push_back(pose.to_world(joint.frame_a.position_mm));
    }
    shown.joint_impulses = state.joint_impulses;
    shown.energy = energy(scene, state);
  };
  return run_and_show<SpatialSnapshot, SpatialState, SpatialStep>(
      settings, start_state(scene), finite_steps<SpatialState, SpatialStep>(take_step, is_finite),
      show, observer);
}

}  // namespace graspmap
