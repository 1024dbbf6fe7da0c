#include "lab/planar/simulate_scene.hpp"

#include <algorithm>

namespace graspmap {
namespace {

auto steps_of(const PlanarScene& scene, PlanarStepper& stepper) {
  return [&](const PlanarState& start, double h, PlanarStep& step) {
    stepper.step(scene, start, h, step);
  };
}

bool is_finite(const PlanarState& state) {
  return is_finite_motion(state.nu) &&
         std::all_of(state.poses.begin(), state.poses.end(),
                     [](const Vec3& pose) { return is_finite_motion(pose); });
}

}  // namespace

SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer) {
  return run_steps<PlanarState, PlanarStep>(settings, start_state(scene), steps_of(scene, stepper),
                                            observer);
}

SceneRun simulate_planar(const PlanarScene& scene, PlanarStepper& stepper,
                         const SceneRunSettings& settings, const PlanarSnapshotObserver& observer) {
  const auto show = [&](const PlanarState& state, const PlanarStep* step, PlanarSnapshot& shown) {
    shown.poses = state.poses;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      shown.velocities.push_back(body_velocity(scene, state, static_cast<int>(k)));
    }
    if (step != nullptr) shown.contacts = step->contacts;
    shown.energy = energy(scene, state);
  };
  return run_and_show<PlanarSnapshot, PlanarState, PlanarStep>(
      settings, start_state(scene),
      finite_steps<PlanarState, PlanarStep>(steps_of(scene, stepper), is_finite), show, observer);
}

}  // namespace graspmap
