#include "sim/spatial/sphere_on_spheres.hpp"

#include <catch2/catch.hpp>

using namespace graspmap;

namespace {

SphereOnSpheres two_spheres() {
  SphereOnSpheres system;
  system.applied << 1.0, 2.6, -9.81, 0.0, 0.0, 0.0;
  system.fixed = {{{0.0, 0.0, 0.0}, 10.0}, {{0.0, 11.4, 0.0}, 9.0}};
  system.mu = 0.2;
  system.e_r = 0.3;
  return system;
}

SphereState touching_both() {
  SphereState state;
  state.centre = {0.0, 6.62105263157895, 8.78417110772903};
  return state;
}

}  // namespace

TEST_CASE("a sphere at rest on two spheres has the forces of statics") {
  const SphereStep step = step_sphere(two_spheres(), touching_both(), 1e-4);
  REQUIRE(step.status == mcp::Status::kSolved);
  CHECK(step.contacts[0].normal_force == Approx(2.641).epsilon(2e-3));
  CHECK(step.contacts[1].normal_force == Approx(8.767).epsilon(2e-3));
}

TEST_CASE("a sphere that touches nothing falls freely") {
  SphereState state = touching_both();
  state.centre.z() += 5.0;
  state.velocity << 0.1, -0.2, 0.3, 1.0, 2.0, 3.0;
  const SphereStep step = step_sphere(two_spheres(), state, 0.01);
  REQUIRE(step.status == mcp::Status::kSolved);
  CHECK((step.end.velocity.head<3>() - Vec3d(0.11, -0.174, 0.2019)).norm() < 1e-8);
  CHECK((step.end.velocity.tail<3>() - Vec3d(1.0, 2.0, 3.0)).norm() < 1e-8);
  CHECK(step.contacts[0].normal_force == Approx(0.0).margin(1e-6));
  CHECK(step.end.time == Approx(0.01));
}

TEST_CASE("spheres neither overlap nor leave the friction ellipsoid at the ends of steps") {
  const SphereOnSpheres system = two_spheres();
  SphereState state = touching_both();
  for (int i = 0; i < 100; ++i) {
    const double before = state.velocity.squaredNorm();
    const SphereStep step = step_sphere(system, state, 0.02);
    REQUIRE(step.status == mcp::Status::kSolved);
    state = step.end;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& fixed = system.fixed[k];
      CHECK((state.centre - fixed.centre).norm() - fixed.radius - 1.0 > -1e-8);
      CHECK(step.contacts[k].friction_force <=
            system.mu * step.contacts[k].normal_force * (1.0 + 1e-6) + 1e-6);
    }
    CHECK(state.velocity.squaredNorm() < before + 1.0);
  }
}
