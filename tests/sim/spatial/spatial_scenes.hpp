#pragma once

#include <vector>

#include "sim/spatial/simulate_spatial.hpp"
#include "sim/spatial/stepper.hpp"

namespace graspmap::testing {

inline SpatialBody ground() {
  SpatialBody body;
  body.name = "ground";
  body.solid = HalfSpace{};
  body.is_fixed = true;
  return body;
}

/// Of uniform density.
inline SpatialBody solid_body(const Solid& solid, double mass_kg, const Vec3& position_mm) {
  SpatialBody body;
  body.name = "body";
  body.solid = solid;
  body.mass_kg = mass_kg;
  const SolidMass mass = solid_mass(solid);
  body.inertia_kg_mm2 = mass_kg / mass.volume_mm3 * mass.inertia_mm5;
  body.pose.position_mm = position_mm;
  return body;
}

inline SpatialScene scene_of(const std::vector<SpatialBody>& bodies, double mu) {
  SpatialScene scene;
  scene.bodies = bodies;
  scene.friction.mu = mu;
  return scene;
}

/// Example 2 of 002_0196e840dcbd01c9.txt, section 4.2: bodies 1 to 4 are the balls.
inline SpatialScene four_balls() {
  std::vector<SpatialBody> bodies{ground()};
  for (const Vec3& place : {Vec3(0.0, 0.0, 1000.0), Vec3(1000.0, 0.0, 100.0),
                            Vec3(1200.01, 0.0, 100.0), Vec3(1400.02, 0.0, 100.0)}) {
    bodies.push_back(solid_body(Sphere{100.0}, 1.0, place));
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
