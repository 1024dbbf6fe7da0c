#pragma once

#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <vector>

#include "lab/planar/steppers/make_stepper.hpp"
#include "tests/support/planar_scenes.hpp"
#include "tests/support/spatial_scenes.hpp"

/// A body on soft ground (z = 0), the same in the plane (x, z) and in space.
namespace graspmap::testing {

struct SoftCase {
  bool is_block = false;    ///< a square block, else a disc or sphere
  double radius_mm = 20.0;  ///< or half of the block's edge
  double mass_kg = 0.5;
  double inertia_kg_mm2 = 80.0;  ///< about all axes
  SoftLayers layers;             ///< of the ground and of the body
  double mu = 10.0;
  double gravity_mm_s2 = 9810.0;
  double force_x_mn = 0.0;
  double height_mm = 20.0;
  Vec3 velocity = Vec3::Zero();  ///< v_x, v_z, and omega from x to z
  double step_s = 1e-3;
  int steps = 100;
};

/// The body and its contact with the ground at the end of a step.
struct SoftSample {
  double time_s = 0.0;
  Vec3 position = Vec3::Zero();  ///< x, z, and the spin omega
  Vec3 velocity = Vec3::Zero();  ///< v_x, v_z, omega
  double y_mm = 0.0;             ///< in space
  double energy_j = 0.0;
  double p_n = 0.0;
  double p_t = 0.0;
  double p_core = 0.0;  ///< the larger one
  double slip_mm_s = 0.0;
  std::array<Vec3, 2> deflections{Vec3::Zero(), Vec3::Zero()};
};
using SoftSamples = std::vector<SoftSample>;

inline SoftLayer normal_layer(double stiffness, double damping, double max_mm) {
  return {stiffness, damping, max_mm};
}

/// A layer with these matrices.
inline SoftLayer whole_layer(const Eigen::Matrix3d& K, const Eigen::Matrix3d& C, double max_mm) {
  return {K(0, 0), C(0, 0), max_mm, SoftMatrices{K, C}};
}

/// A layer with the stiffnesses k_n and k_t and dampings c_n and c_t.
inline SoftLayer diagonal_layer(double k_n, double k_t, double c_n, double c_t, double max_mm) {
  return whole_layer(Vec3(k_n, k_t, k_t).asDiagonal(), Vec3(c_n, c_t, c_t).asDiagonal(), max_mm);
}

inline PlanarScene planar_soft_scene(const SoftCase& of) {
  const double r = of.radius_mm;
  const ConvexShape block = polygon({{-r, -r}, {r, -r}, {r, r}, {-r, r}});
  PlanarScene scene;
  scene.gravity_mm_s2 = {0.0, -of.gravity_mm_s2};
  scene.bodies.push_back(table_body());
  add_free_body(scene, of.is_block ? block : ConvexShape(Superellipse{r, r, 2.0}), of.mass_kg,
                of.inertia_kg_mm2, {0.0, of.height_mm, 0.0}, of.velocity);
  if (of.force_x_mn != 0.0) scene.drives.push_back({0, of.force_x_mn, 0.0});
  scene.laws.push_back({0, 1, of.mu, true, std::nullopt, of.layers});
  return scene;
}

/// Steps in the plane; fewer samples where one is not solved.
inline SoftSamples run_plane(const SoftCase& of, StepperKind kind = StepperKind::kImplicit) {
  const PlanarScene scene = planar_soft_scene(of);
  const auto stepper = make_stepper(kind, {});
  SoftSamples samples;
  PlanarState state = start_state(scene);
  PlanarStep step;
  for (int i = 0; i < of.steps; ++i) {
    stepper->step(scene, state, of.step_s, step);
    if (step.status != mcp::Status::kSolved) break;
    state = step.end;
    const Vec3& q = state.poses[1];
    SoftSample& sample = samples.emplace_back();
    sample.time_s = state.time_s;
    sample.position = q;
    sample.velocity = state.nu;
    sample.energy_j = energy(scene, state).total_j();
    for (const PlanarContact& c : step.contacts) {
      sample.p_n += c.p_n;
      sample.p_t += c.p_t;
      sample.p_core = std::max(sample.p_core, c.p_core);
      sample.slip_mm_s = c.slip_mm_s;
    }
    if (!state.deflections.empty()) sample.deflections = state.deflections[0].layers_mm;
  }
  return samples;
}

inline SpatialScene spatial_soft_scene(const SoftCase& of) {
  SpatialScene scene;
  scene.gravity_mm_s2 = {0.0, 0.0, -of.gravity_mm_s2};
  const Solid block = Box3{Vec3::Constant(of.radius_mm)};
  scene.bodies = {ground(), uniform("body", of.is_block ? block : Solid(Sphere{of.radius_mm}),
                                    of.mass_kg, {0.0, 0.0, of.height_mm})};
  SpatialBody& body = scene.bodies[1];
  body.inertia_kg_mm2.setConstant(of.inertia_kg_mm2);
  body.velocity = twist({of.velocity[0], 0.0, of.velocity[1]}, {0.0, -of.velocity[2], 0.0});
  body.force = twist({of.force_x_mn, 0.0, 0.0});
  scene.laws.push_back({0, 1, {of.mu, 1.0, 1.0, 0.0}, true, of.layers});
  return scene;
}

/// Steps in space; fewer samples where one is not solved.
inline SoftSamples run_space(const SoftCase& of,
                             SpatialStepperKind kind = SpatialStepperKind::kImplicit) {
  const SpatialScene scene = spatial_soft_scene(of);
  const auto stepper = make_spatial_stepper(kind, {});
  SoftSamples samples;
  SpatialState state = start_state(scene);
  SpatialStep step;
  double turned = 0.0;
  for (int i = 0; i < of.steps; ++i) {
    stepper->step(scene, state, of.step_s, step);
    if (step.status != mcp::Status::kSolved) break;
    state = step.end;
    const Vec3& q = state.poses[1].position_mm;
    const Twist& nu = state.velocities[1];
    turned -= of.step_s * nu[4];
    SoftSample& sample = samples.emplace_back();
    sample.time_s = state.time_s;
    sample.position = {q.x(), q.z(), turned};
    sample.velocity = {nu[0], nu[2], -nu[4]};
    sample.y_mm = q.y();
    sample.energy_j = energy(scene, state).total_j();
    for (const SpatialContact& c : state.contacts) {
      sample.p_n += c.p_n;
      sample.p_t += c.p_t;
      sample.p_core = std::max({sample.p_core, c.p_core[0], c.p_core[1]});
      sample.slip_mm_s = c.v_t_mm_s;
    }
    if (!state.deflections.empty()) sample.deflections = state.deflections[0].layers_mm;
  }
  return samples;
}

}  // namespace graspmap::testing
