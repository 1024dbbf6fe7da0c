#include "lab/planar/scene.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "lab/planar/contact.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/planar_scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Two discs of radius 10 at (-20, 0) and (20, 0) that move towards each other, and turn.
PlanarScene meeting_discs(double speed_mm_s, double spin_rad_s) {
  PlanarScene scene;
  scene.gravity_mm_s2.setZero();
  const Superellipse disc{10.0, 10.0, 2.0};
  add_free_body(scene, disc, 2.0, 100.0, {-20.0, 0.0, 0.0}, {speed_mm_s, 0.0, spin_rad_s});
  add_free_body(scene, disc, 1.0, 50.0, {20.0, 0.0, 0.0}, {-speed_mm_s, 0.0, 0.0});
  return scene;
}

}  // namespace

TEST_CASE("the energy of a scene in the plane is kinetic, of gravity and of its soft layers") {
  PlanarScene scene;
  scene.gravity_mm_s2 = {0.0, -9810.0};
  scene.bodies.push_back(table_body());
  const int disc = add_free_body(scene, Superellipse{10.0, 10.0, 2.0}, 2.0, 100.0, {3.0, 9.5, 0.2},
                                 {300.0, -400.0, 7.0});
  ContactLaw law{0, disc, 0.3, true, {}};
  law.soft = SoftLayer{};
  law.soft->stiffness_mn_per_mm = 6000.0;
  law.soft->max_deflection_mm = 2.0;
  scene.laws.push_back(law);
  PlanarState state = start_state(scene);
  Deflection deflection;
  deflection.contact = {0, 0, disc, 0};
  deflection.delta_mm = 0.5;
  state.deflections.push_back(deflection);
  const SceneEnergy found = energy(scene, state);
  // 1 mN mm = 1e-6 J
  CHECK(found.kinetic_j == within(1e-6 * 0.5 * (2.0 * 500.0 * 500.0 + 100.0 * 49.0), 1e-12));
  CHECK(found.potential_j == within(1e-6 * 2.0 * 9810.0 * 9.5, 1e-12));
  REQUIRE(found.elastic_j);
  CHECK(*found.elastic_j == within(1e-6 * 0.5 * 6000.0 * 0.25, 1e-15));
}

TEST_CASE("bodies that share a coordinate have the mass of both, each by its factor squared") {
  PlanarScene scene;
  scene.gravity_mm_s2 = {3.0, 0.0};
  scene.velocities = 1;
  scene.start_velocity = Eigen::VectorXd::Constant(1, 8.0);
  for (const double factor : {1.0, -0.5}) {
    PlanarBody body = fixed_body("slider", Superellipse{1.0, 1.0, 2.0}, Vec3::Zero());
    body.mass_kg = 4.0;
    body.coordinates[0] = {0, factor};
    scene.bodies.push_back(body);
  }
  CHECK(mass_diagonal(scene)[0] == within(4.0 + 0.25 * 4.0, 1e-15));
  CHECK(applied_force(scene)[0] == within(3.0 * 4.0 * (1.0 - 0.5), 1e-15));
  const PlanarState start = start_state(scene);
  CHECK(energy(scene, start).kinetic_j == within(1e-6 * 0.5 * 5.0 * 64.0, 1e-15));
  PlanarState end;
  advance(scene, start, start.nu, 0.25, end);
  CHECK(end.poses[0].x() == within(2.0, 1e-15));
  CHECK(end.poses[1].x() == within(-1.0, 1e-15));
}

TEST_CASE("the velocity of a shaken body is the rate of its displacement") {
  PlanarScene scene;
  scene.bodies.push_back(table_body());
  scene.bodies[0].pose = {0.0, 5.0, 0.0};
  scene.bodies[0].shake = Shake{30.0, 0.4, 1.0};
  scene.start_velocity = Eigen::VectorXd::Zero(0);
  const auto height_at = [&](double time_s) {
    PlanarState end;
    advance(scene, start_state(scene), Eigen::VectorXd::Zero(0), time_s, end);
    return end.poses[0].y();
  };
  for (const double time_s : {0.05, 0.13, 0.31, 0.7, 1.2}) {
    PlanarState state = start_state(scene);
    state.time_s = time_s;
    const double rate = central_derivative(height_at, time_s, 1e-4);
    CHECK(body_velocity(scene, state, 0).y() == within(rate, 1e-6));
  }
  CHECK(height_at(0.2) == within(35.0, 1e-9));  // half of the stroke's time: its amplitude
}

TEST_CASE("the reach of a step holds what two bodies can come nearer in it") {
  const double h = 0.01;
  const PlanarScene scene = meeting_discs(1000.0, 5.0);
  const PlanarState start = start_state(scene);
  // Both move by 10 mm, and a point of the first by 0.5 mm more: 20 mm apart they may meet.
  CHECK(step_reach_mm(scene, start, h) == within(2.0 * (10.0 + 0.5), 1e-12));
  std::vector<ContactKey> contacts;
  near_contacts(scene, start, step_reach_mm(scene, start, h), contacts);
  CHECK(contacts.size() == 1);
  near_contacts(scene, start, 19.0, contacts);
  CHECK(contacts.empty());
}
