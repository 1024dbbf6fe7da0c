#include <cmath>

#include "bench/peers/sliding_cube/cube_scene.hpp"
#include "sim/spatial/simulate_spatial.hpp"
#include "sim/spatial/stepper.hpp"

namespace graspmap::bench {
namespace {

constexpr double kMmPerM = 1000.0;

SpatialScene spatial_scene(const CubeScene& cube) {
  SpatialBody ground;
  ground.solid = HalfSpace{};
  ground.is_fixed = true;
  const double side_mm = kMmPerM * cube.side_m;
  SpatialBody body;
  body.solid = Box3{Vec3::Constant(0.5 * side_mm)};
  body.mass_kg = cube.mass_kg;
  body.inertia_kg_mm2.setConstant(cube.mass_kg * side_mm * side_mm / 6.0);
  body.pose.position_mm.z() = 0.5 * side_mm;
  body.velocity.head<2>() = kMmPerM * cube.velocity_m_s;
  body.force.head<2>() = kMmPerM * cube.force_n;
  SpatialScene scene;
  scene.bodies = {ground, body};
  scene.gravity_mm_s2 = {0.0, 0.0, -kMmPerM * cube.gravity_m_s2};
  scene.friction = {cube.mu, 1.0, 1.0, 100.0};
  return scene;
}

}  // namespace

CubeEnd graspmap_cube(const CubeScene& scene, double step_s) {
  const auto stepper = make_spatial_stepper(SpatialStepperKind::kImplicit, {});
  SceneRunSettings settings;
  settings.step_s = step_s;
  settings.duration_s = scene.duration_s;
  CubeEnd end;
  const SceneRun run = simulate_spatial(
      spatial_scene(scene), *stepper, settings, [&](const SpatialSnapshot& snapshot) {
        end.position_m = snapshot.poses[1].position_mm / kMmPerM;
        end.turned_deg = 2.0 *
                         std::atan2(snapshot.poses[1].orientation.vec().norm(),
                                    std::abs(snapshot.poses[1].orientation.w())) *
                         180.0 / M_PI;
        return true;
      });
  end.is_solved = !run.failure;
  return end;
}

}  // namespace graspmap::bench
