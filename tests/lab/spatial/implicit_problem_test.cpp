#include "lab/spatial/implicit_problem.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/numeric_jacobian.hpp"
#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;

namespace {

struct TestedPair {
  const char* name;
  Solid a;
  Solid b;
  bool is_condensed;
  SoftLayers layers{};
};

/// A layer whose directions are coupled, with the deflections of the step before.
SoftLayer coupled_layer() {
  Eigen::Matrix3d K;
  K << 900.0, 200.0, -100.0, 200.0, 700.0, 150.0, -100.0, 150.0, 500.0;
  return {900.0, 9.0, 5.0, SoftMatrices{K, 0.01 * K}};
}

/// Two bodies near each other, both moving unless one is a half-space.
SpatialScene scene_of(const TestedPair& pair) {
  SpatialScene scene;
  scene.friction = {0.3, 1.0, 0.7, 20.0};
  for (const Solid& solid : {pair.a, pair.b}) {
    if (std::holds_alternative<HalfSpace>(solid)) {
      scene.bodies.push_back(ground());
      continue;
    }
    const double x = scene.bodies.empty() ? 0.0 : 30.0;
    scene.bodies.push_back(uniform("body", solid, 2.0 + x / 20.0, {x, 2.0 * x, 60.0 + 3.0 * x}));
    scene.bodies.back().pose.orientation = Eigen::Quaterniond(0.8, 0.2, -0.3, 0.4).normalized();
    scene.bodies.back().velocity = twist({100.0 - 3.0 * x, 50.0, -200.0}, {1.0, -2.0, 0.5 * x});
  }
  return scene;
}

StepContact contact_of(const SpatialScene& scene, bool is_condensed,
                       const SoftLayers& layers = {}) {
  StepContact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  contact.friction = scene.friction;
  contact.is_condensed = is_condensed;
  contact.surfaces_a = surfaces(scene.bodies[0].solid);
  contact.surfaces_b = surfaces(scene.bodies[1].solid);
  if (!is_soft(layers)) return contact;
  contact.soft = soft_contact_step(layers, 0.02);
  contact.pressed_before_mm = {0.5, 0.2};
  contact.shifted_before_mm = {Vec3(0.3, -0.2, 0.1), Vec3(-0.1, 0.4, 0.2)};
  return contact;
}

}  // namespace

TEST_CASE("the Jacobian of an implicit step in space is that of finite differences") {
  const TestedPair pair = GENERATE(
      TestedPair{"spheres", Sphere{50.0}, Sphere{40.0}, true},
      TestedPair{"sphere on plane", HalfSpace{}, Sphere{40.0}, true},
      TestedPair{"ellipsoid on plane", Ellipsoid{Vec3(50.0, 40.0, 30.0)}, HalfSpace{}, true},
      TestedPair{"spheres in full", Sphere{50.0}, Sphere{40.0}, false},
      TestedPair{"box on plane", HalfSpace{}, Box3{Vec3(50.0, 40.0, 30.0)}, false},
      TestedPair{"cylinder and box", Cylinder{30.0, 50.0}, Box3{Vec3(50.0, 40.0, 30.0)}, false},
      TestedPair{"soft spheres",
                 Sphere{50.0},
                 Sphere{40.0},
                 true,
                 {coupled_layer(), SoftLayer{600.0, 3.0, 2.0}}},
      TestedPair{"soft ellipsoid on plane",
                 Ellipsoid{Vec3(50.0, 40.0, 30.0)},
                 HalfSpace{},
                 true,
                 {std::nullopt, coupled_layer()}},
      TestedPair{"soft boxes",
                 Box3{Vec3(50.0, 40.0, 30.0)},
                 Box3{Vec3(20.0, 40.0, 30.0)},
                 false,
                 {coupled_layer(), coupled_layer()}},
      TestedPair{"superquadric and ellipsoid", Superquadric{Vec3(50.0, 40.0, 30.0), 3.5},
                 Ellipsoid{Vec3(50.0, 40.0, 30.0)}, false});
  const SpatialScene scene = scene_of(pair);
  const SpatialState start = start_state(scene);
  constexpr double kH = 0.02;
  const SpatialScales scales = spatial_scales(scene, start, kH);
  SpatialStepProblem problem(scene, start, kH, scales,
                             {contact_of(scene, pair.is_condensed, pair.layers)});
  INFO(pair.name);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform_real(0.2, 1.0);
  Eigen::VectorXd z(problem.size());
  for (int i = 0; i < z.size(); ++i) z[i] = uniform_real(random) * (i % 3 == 1 ? -1.0 : 1.0);
  Eigen::MatrixXd J;
  Eigen::VectorXd F;
  problem.evaluate(z, F);
  problem.jacobian(z, J);
  const Eigen::MatrixXd error = J - testing::numeric_jacobian(problem, z, 1e-6);
  for (int i = 0; i < z.size(); ++i) {
    const double scale = std::max(1.0, J.col(i).cwiseAbs().maxCoeff());
    CHECK(error.col(i).cwiseAbs().maxCoeff() < 1e-7 * scale);
  }
}

TEST_CASE("rows of an implicit step belong to their contacts") {
  const SpatialScene scene = sphere_on_two_spheres();
  const SpatialState start = start_state(scene);
  const SpatialScales scales = spatial_scales(scene, start, 0.01);
  const StepContact first = contact_of(scene, true);
  StepContact second = first;
  second.body_a = 1;
  second.body_b = 2;
  const SpatialStepProblem problem(scene, start, 0.01, scales, {first, second});
  REQUIRE(problem.size() == 16);
  CHECK(problem.contact_of_row(5) == -1);
  CHECK(problem.contact_of_row(6) == 0);
  CHECK(problem.contact_of_row(15) == 1);
  CHECK(problem.first_of(0) == -1);
  CHECK(problem.first_of(1) == 0);
}
