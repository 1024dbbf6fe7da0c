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
    shown.energy = energy(scene, state);
  };
  return run_and_show<SpatialSnapshot, SpatialState, SpatialStep>(settings, start_state(scene),
                                                                  take_step, show, observer);
}

}  // namespace graspmap
