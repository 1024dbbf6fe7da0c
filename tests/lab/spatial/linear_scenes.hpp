#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <numbers>
#include <vector>

#include "lab/spatial/stepper.hpp"
#include "tests/support/random.hpp"
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

inline Eigen::Quaterniond random_orientation(Random& random) {
  Eigen::Vector4d q;
  for (int i = 0; i < 4; ++i) q[i] = random.uniform(-1.0, 1.0);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

/// Six bodies on their way to a ramp of 45 to 70 degrees with a friction of 0 to 0.8: two
/// superquadrics of exponent 6, a sphere, an ellipsoid, a box and a cylinder, in random order.
inline SpatialScene random_ramp_pile(std::uint64_t seed) {
  Random random(seed);
  SpatialScene scene;
  scene.friction = {random.uniform(0.0, 0.8), 1.0, 1.0, 10.0};
  scene.bodies = {ground()};
  const double angle = random.uniform(45.0, 70.0) * std::numbers::pi / 180.0;
  const Eigen::Quaterniond ramp(Eigen::AngleAxisd(angle, Vec3::UnitY()));
  scene.bodies[0].pose.orientation = ramp;
  const int first = random.index(6);
  for (int i = 0; i < 6; ++i) {
    const Vec3 size(random.uniform(20.0, 50.0), random.uniform(20.0, 50.0),
                    random.uniform(20.0, 50.0));
    const std::array<Solid, 6> solids{
        Superquadric{size, 6.0},      Sphere{size.x()}, Ellipsoid{size}, Superquadric{size, 6.0},
        Cylinder{size.x(), size.y()}, Box3{size}};
    const Vec3 at(random.uniform(0.0, 60.0), random.uniform(0.0, 60.0), 80.0 + 90.0 * i);
    scene.bodies.push_back(uniform("solid", solids.at(static_cast<std::size_t>((first + i) % 6)),
                                   random.uniform(1.0, 2.0), ramp * at));
    SpatialBody& body = scene.bodies.back();
    body.pose.orientation = random_orientation(random);
    body.velocity =
        twist(ramp * Vec3(0.0, 0.0, -1000.0),
              {random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0)});
  }
  return scene;
}

}  // namespace graspmap::testing
