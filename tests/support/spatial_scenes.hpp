#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lab/spatial/stepper.hpp"

/// Scenes in space to test with, in mm, kg and s.
namespace graspmap {

/// z <= 0.
inline SpatialBody ground() {
  SpatialBody body;
  body.name = "ground";
  body.solid = HalfSpace{};
  body.is_fixed = true;
  return body;
}

/// A uniform solid.
inline SpatialBody uniform(std::string name, const Solid& solid, double mass_kg,
                           const Vec3& position_mm) {
  const SolidMass unit_density = solid_mass(solid);
  SpatialBody body;
  body.name = std::move(name);
  body.solid = solid;
  body.mass_kg = mass_kg;
  body.inertia_kg_mm2 = unit_density.inertia_mm5 * (mass_kg / unit_density.volume_mm3);
  body.pose.position_mm = position_mm;
  return body;
}

inline Twist twist(const Vec3& linear, const Vec3& angular = Vec3::Zero()) {
  Twist nu;
  nu << linear, angular;
  return nu;
}

/// Example A2: a sphere of radius 1 m on fixed ones of 10 m and 9 m; body 1 moves.
inline SpatialScene sphere_on_two_spheres() {
  SpatialScene scene;
  scene.gravity_mm_s2.setZero();
  scene.bodies = {uniform("large", Sphere{10'000.0}, 1.0, Vec3::Zero()),
                  uniform("ball", Sphere{1000.0}, 1.0, {0.0, 6621.05263157895, 8784.17110772903}),
                  uniform("small", Sphere{9000.0}, 1.0, {0.0, 11'400.0, 0.0})};
  scene.bodies[0].is_fixed = true;
  scene.bodies[2].is_fixed = true;
  scene.bodies[1].force = twist({1000.0, 2600.0, -9810.0});
  scene.friction = {0.2, 1.0, 1.0, 300.0};
  return scene;
}

/// Example D1: a cube of 0.5 m and 3 kg that slides on the ground at (1, 2, 0) m/s.
inline SpatialScene sliding_cube(const Vec3& force_mn = Vec3::Zero(), double e_o = 1.0) {
  SpatialScene scene;
  scene.gravity_mm_s2 = {0.0, 0.0, -9800.0};
  scene.bodies = {ground(), uniform("cube", Box3{Vec3::Constant(250.0)}, 3.0, {0.0, 0.0, 250.0})};
  scene.bodies[1].velocity = twist({1000.0, 2000.0, 0.0});
  scene.bodies[1].force = twist(force_mn);
  scene.friction = {0.22, 1.0, e_o, 100.0};
  return scene;
}

/// `steps` steps of h from the start; false when one is not solved.
template <typename Observer>
bool run_spatial(const SpatialScene& scene, SpatialStepper& stepper, double h, int steps,
                 Observer observer) {
  SpatialState state = start_state(scene);
  SpatialStep step;
  for (int i = 0; i < steps; ++i) {
    stepper.step(scene, state, h, step);
    if (step.status != mcp::Status::kSolved) return false;
    observer(state, step);
    state = step.end;
  }
  return true;
}

}  // namespace graspmap
