#include "sim/planar/simulate_scene.hpp"

namespace graspmap {

SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer) {
  const auto take_step = [&](const PlanarState& start, double h, PlanarStep& step) {
    stepper.step(scene, start, h, step);
  };
  return run_steps<PlanarState, PlanarStep>(settings, start_state(scene), take_step, observer);
}

}  // namespace graspmap
