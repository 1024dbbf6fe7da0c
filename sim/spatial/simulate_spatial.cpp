#include "sim/spatial/simulate_spatial.hpp"

namespace graspmap {

SceneRun simulate_spatial(const SpatialScene& scene, SpatialStepper& stepper,
                          const SceneRunSettings& settings, const SnapshotObserver& observer) {
  double last_s = 0.0;
  const auto take_step = [&](const SpatialState& start, double h, SpatialStep& step) {
    stepper.step(scene, start, h, step);
  };
  const auto observe = [&](const SpatialState& state, const SpatialStep* step) {
    SpatialSnapshot shown;
    shown.time_s = state.time_s;
    shown.step_s = state.time_s - last_s;
    shown.poses = state.poses;
    shown.velocities = state.velocities;
    shown.contacts = state.contacts;
    shown.energy = energy(scene, state);
    if (step != nullptr) {
      shown.iterations = step->iterations;
      shown.unknowns = step->unknowns;
      shown.residual = step->residual;
    }
    last_s = state.time_s;
    return observer(shown);
  };
  return run_steps<SpatialState, SpatialStep>(settings, start_state(scene), take_step, observe);
}

}  // namespace graspmap
