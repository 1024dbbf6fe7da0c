#include "sim/spatial/simulate_spatial.hpp"

namespace graspmap {

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
  return run_and_show<SpatialSnapshot, SpatialState, SpatialStep>(settings, start_state(scene),
                                                                  take_step, show, observer);
}

}  // namespace graspmap
