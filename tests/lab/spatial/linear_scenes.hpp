#pragma once

#include <vector>

#include "lab/spatial/stepper.hpp"
#include "tests/support/spatial_scenes.hpp"

namespace graspmap::testing {

inline SpatialScene scene_of(const std::vector<SpatialBody>& bodies, double mu) {
  SpatialScene scene;
  scene.bodies = bodies;
  scene.friction.mu = mu;
  return scene;
}

/// Example 2 of Stewart and Trinkle 2000, section 4.2: bodies 1 to 4 are the balls.
inline SpatialScene four_balls() {
  std::vector<SpatialBody> bodies{ground()};
  for (const Vec3& place : {Vec3(0.0, 0.0, 1000.0), Vec3(1000.0, 0.0, 100.0),
                            Vec3(1200.01, 0.0, 100.0), Vec3(1400.02, 0.0, 100.0)}) {
    bodies.push_back(uniform("ball", Sphere{100.0}, 1.0, place));
  }
  bodies[1].velocity << 1500.0, 100.0, 0.0, 0.0, 0.0, 0.0;
  return scene_of(bodies, 0.4);
}

/// What is seen of a run, from the start on.
inline std::vector<SpatialSnapshot> snapshots(const SpatialScene& scene, SpatialStepperKind kind,
                                              double step_s, double duration_s, SceneRun& run) {
  std::vector<SpatialSnapshot> seen;
  const auto stepper = make_spatial_stepper(kind, {});
  SceneRunSettings settings;
  settings.step_s = step_s;
  settings.duration_s = duration_s;
  settings.max_halvings = 0;
  run = simulate_spatial(scene, *stepper, settings, [&](const SpatialSnapshot& snapshot) {
    seen.push_back(snapshot);
    return true;
  });
  return seen;
}

}  // namespace graspmap::testing
