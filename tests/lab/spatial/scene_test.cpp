#include "lab/spatial/scene.hpp"

#include <catch2/catch.hpp>

#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;

namespace {

SpatialScene thrown_box() {
  SpatialScene scene;
  scene.bodies = {ground(), uniform("box", Box3{Vec3(30.0, 20.0, 10.0)}, 2.0, {0.0, 0.0, 500.0})};
  scene.bodies[1].velocity = twist({100.0, 0.0, 0.0}, {0.0, 3.0, 0.0});
  return scene;
}

}  // namespace

TEST_CASE("impulses of a step in space are those of gravity, forces, pushes and kicks") {
  SpatialScene scene = thrown_box();
  scene.bodies[1].force = twist({1.0, 0.0, 0.0}, {0.0, 0.0, 7.0});
  scene.pushes = {{1, 0.1, 0.25, twist({0.0, 40.0, 0.0})}};
  scene.kicks = {{1, KickTrigger::kTurningStops, twist(Vec3::Zero(), {0.0, 0.0, 9.0})}};
  SpatialState state = start_state(scene);
  state.time_s = 0.2;
  const std::vector<Twist> impulses = applied_impulses(scene, state, 0.1);
  CHECK(impulses[0].norm() == 0.0);
  CHECK((impulses[1].head<3>() - Vec3(0.1, 40.0 * 0.05, -0.1 * 2.0 * 9810.0)).norm() < 1e-9);
  CHECK((impulses[1].tail<3>() - Vec3(0.0, 0.0, 0.7 + 9.0)).norm() < 1e-12);
  state.velocities[1][5] = 0.01;  // it turns: the kick waits
  CHECK(applied_impulses(scene, state, 0.1)[1][5] == Approx(0.7));
}

TEST_CASE("a kick that waits for a line contact acts once") {
  SpatialScene scene = thrown_box();
  scene.kicks = {{1, KickTrigger::kLineContact, twist({5.0, 0.0, 0.0})}};
  SpatialState state = start_state(scene);
  CHECK_FALSE(is_due(scene, state, 0));
  SpatialContact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  contact.patch = PatchKind::kLine;
  state.contacts = {contact};
  CHECK(is_due(scene, state, 0));
  SpatialState next;
  advance(scene, state, state.velocities, 0.01, next);
  next.contacts = {contact};
  CHECK_FALSE(is_due(scene, next, 0));
}

TEST_CASE("a pose advances by the kinematic map and stays a unit quaternion") {
  Pose3 pose;
  pose.orientation = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  const Twist nu = twist({10.0, 20.0, 30.0}, {0.3, -0.2, 0.5});
  const Pose3 next = moved(pose, nu, 0.1);
  CHECK((next.position_mm - Vec3(1.0, 2.0, 3.0)).norm() < 1e-12);
  CHECK(next.orientation.norm() == Approx(1.0).epsilon(1e-15));
  const Eigen::AngleAxisd turn(next.orientation * pose.orientation.conjugate());
  const double w = nu.tail<3>().norm();
  CHECK(turn.angle() == Approx(2.0 * std::atan(0.05 * w)));
  CHECK((turn.axis() - nu.tail<3>().normalized()).norm() < 1e-9);
}

TEST_CASE("the energy of a body in space is kinetic and of gravity") {
  const SpatialScene scene = thrown_box();
  const SceneEnergy at_start = energy(scene, start_state(scene));
  const double inertia = scene.bodies[1].inertia_kg_mm2.y();
  CHECK(at_start.kinetic_j == Approx(1e-6 * (0.5 * 2.0 * 1e4 + 0.5 * inertia * 9.0)));
  CHECK(at_start.potential_j == Approx(2.0 * 9.81 * 0.5));
}

TEST_CASE("a law of two bodies holds in either order") {
  SpatialScene scene = thrown_box();
  scene.friction.mu = 0.1;
  scene.laws = {{0, 1, {0.7, 1.0, 1.0, 0.0}, false}};
  CHECK(contact_law(scene, 1, 0).friction.mu == 0.7);
  CHECK_FALSE(contact_law(scene, 0, 1).touch);
  scene.laws.clear();
  CHECK(contact_law(scene, 1, 0).friction.mu == 0.1);
}
