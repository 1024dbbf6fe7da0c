#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;

namespace {

std::unique_ptr<SpatialStepper> implicit_stepper(bool is_full = false) {
  return make_spatial_implicit({}, is_full);
}

double lowest_vertex_mm(const Box3& box, const Pose3& pose) {
  const Vec3 down = pose.orientation.conjugate() * -Vec3::UnitZ();
  return pose.to_world(support_point(box, down)).z();
}

/// The discrete closed form of a cube that slides without turning: v' of
/// v' = w - b h E^2 v' / |E v'|, E = diag(1, e_o), or rest.
Vec2 slid(const Vec2& v, const Vec2& force_over_m, double b, double h, double e_o) {
  const Vec2 w = v + h * force_over_m;
  const Vec2 e2(1.0, e_o * e_o);
  if (Vec2(w.x(), w.y() / e_o).norm() <= b * h) return Vec2::Zero();
  const auto at = [&](double s) -> Vec2 { return w.array() / (1.0 + b * h / s * e2.array()); };
  double low = 0.0;
  double high = w.norm();
  for (int i = 0; i < 200; ++i) {
    const double s = 0.5 * (low + high);
    const Vec2 next = at(s);
    (std::hypot(next.x(), e_o * next.y()) > s ? low : high) = s;
  }
  return at(0.5 * (low + high));
}

}  // namespace

TEST_CASE("a sphere at rest on two spheres carries the forces of statics") {
  const SpatialScene scene = sphere_on_two_spheres();
  SpatialStep step;
  implicit_stepper()->step(scene, start_state(scene), 1e-4, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  REQUIRE(step.end.contacts.size() == 2);
  CHECK(step.end.contacts[0].p_n / 1e-4 == Approx(2641.0).epsilon(2e-3));
  CHECK(step.end.contacts[1].p_n / 1e-4 == Approx(8767.0).epsilon(2e-3));
  CHECK(step.unknowns == 16);
}

TEST_CASE("condensed and full equations of spheres have one solution") {
  const SpatialScene scene = sphere_on_two_spheres();
  const auto full = implicit_stepper(true);
  SpatialStep other;
  int unknowns = 0;
  const auto compare = [&](const SpatialState& state, const SpatialStep& step) {
    full->step(scene, state, 0.02, other);
    REQUIRE(other.status == mcp::Status::kSolved);
    unknowns = std::max(unknowns, other.unknowns);
    CHECK((step.end.velocities[1] - other.end.velocities[1]).norm() < 1e-5);
    REQUIRE(step.end.contacts.size() == other.end.contacts.size());
    for (std::size_t k = 0; k < step.end.contacts.size(); ++k) {
      CHECK(step.end.contacts[k].p_n == Approx(other.end.contacts[k].p_n).margin(1e-4));
    }
  };
  CHECK(run_spatial(scene, *implicit_stepper(), 0.02, 60, compare));
  CHECK(unknowns == 34);
}

TEST_CASE("spheres neither overlap nor leave the friction ellipsoid") {
  const SpatialScene scene = sphere_on_two_spheres();
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    CHECK(step.worst_overlap_mm() < 1e-7);
    for (const SpatialContact& c : step.end.contacts) {
      const Vec3 p(c.p_t, c.p_o, c.p_r / c.friction.e_r_mm);
      CHECK(p.norm() <= 0.2 * c.p_n * (1.0 + 1e-8) + 1e-8);
    }
  };
  CHECK(run_spatial(scene, *implicit_stepper(), 0.04, 100, check));
}

TEST_CASE("a cube slides as the discrete closed form says") {
  struct Case {
    Vec3 force_mn;
    double e_o;
  };
  const Case sliding = GENERATE(Case{{0.0, 0.0, 0.0}, 1.0}, Case{{9000.0, 0.0, 0.0}, 1.0},
                                Case{{4000.0, 2000.0, 0.0}, 1.0}, Case{{9000.0, 0.0, 0.0}, 0.5});
  const SpatialScene scene = sliding_cube(sliding.force_mn, sliding.e_o);
  constexpr double kH = 0.01;
  constexpr double kB = 0.22 * 9800.0;
  Vec2 v(1000.0, 2000.0);
  Vec2 x = Vec2::Zero();
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    v = slid(v, sliding.force_mn.head<2>() / 3.0, kB, kH, sliding.e_o);
    x += kH * v;
    const SpatialContact& c = step.end.contacts[0];
    CHECK((step.end.velocities[1].head<2>() - v).norm() < 1e-5);
    CHECK((step.end.poses[1].position_mm.head<2>() - x).norm() < 1e-5);
    CHECK(step.end.velocities[1].tail<4>().norm() < 1e-6);
    CHECK(c.p_n == Approx(3.0 * 9800.0 * kH).epsilon(1e-9));
    CHECK(c.patch == PatchKind::kSurface);
    // The ECP balances the moment of friction: (dx, dy) = -(H/p_n) (p_x, p_y) on the cube. The
    // ground is A: the cube feels its impulses turned round.
    const Vec3 friction = -(c.p_t * c.t + c.p_o * c.o);
    const Vec2 ecp = (c.on_b_mm - step.end.poses[1].position_mm).head<2>();
    CHECK((ecp + 250.0 / c.p_n * friction.head<2>()).norm() < 1e-4);
  };
  CHECK(run_spatial(scene, *implicit_stepper(), kH, 150, check));
}

TEST_CASE("a cube on its vertex falls onto an edge and onto a face") {
  SpatialScene scene;
  scene.gravity_mm_s2 = {0.0, 0.0, -9800.0};
  scene.friction = {0.22, 1.0, 1.0, 100.0};
  const Box3 box{Vec3::Constant(500.0)};
  scene.bodies = {ground(), uniform("cube", box, 3.0, Vec3::Zero())};
  Pose3& pose = scene.bodies[1].pose;
  const Vec3 vertex = Vec3::Constant(-500.0);
  // The turn that takes the vertex straight down. FromTwoVectors would take 10 s to compile.
  const Eigen::AngleAxisd onto_vertex(std::acos(1.0 / std::sqrt(3.0)),
                                      Vec3(1.0, -1.0, 0.0).normalized());
  CHECK((onto_vertex * vertex.normalized() + Vec3::UnitZ()).norm() < 1e-12);
  pose.orientation = Eigen::AngleAxisd(0.2, Vec3(1.0, 0.4, 0.0).normalized()) * onto_vertex;
  pose.position_mm = -(pose.orientation * vertex);
  std::vector<int> facets;
  SpatialState end;
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    CHECK(lowest_vertex_mm(box, step.end.poses[1]) > -1e-6);
    for (const SpatialContact& c : step.end.contacts) {
      if (c.patch == PatchKind::kOpen) continue;
      const int expected = c.patch == PatchKind::kPoint ? 3 : c.patch == PatchKind::kLine ? 2 : 1;
      CHECK(c.facets_b == expected);
      CHECK(c.facets_a == 1);
      if (facets.empty() || facets.back() != c.facets_b) facets.push_back(c.facets_b);
      const Vec3 inside = step.end.poses[1].to_body(c.on_b_mm);
      CHECK(inside.cwiseAbs().maxCoeff() < 500.0 + 1e-6);
    }
    end = step.end;
  };
  REQUIRE(run_spatial(scene, *implicit_stepper(), 0.01, 250, check));
  REQUIRE(facets.size() >= 3);
  CHECK(facets.front() == 3);
  CHECK(std::count(facets.begin(), facets.end(), 2) > 0);
  CHECK(facets.back() == 1);
  CHECK(end.poses[1].position_mm.z() == Approx(500.0).epsilon(1e-9));
  CHECK(end.velocities[1].norm() < 1e-6);
}

TEST_CASE("the contact line of a cylinder that turns carries its impulse off centre") {
  SpatialScene scene;
  scene.gravity_mm_s2 = {0.0, 0.0, -9800.0};
  scene.friction = {0.22, 1.0, 1.0, 100.0};
  scene.bodies = {ground(), uniform("cylinder", Cylinder{100.0, 150.0}, 3.0, {0.0, 0.0, 100.0})};
  SpatialBody& cylinder = scene.bodies[1];
  cylinder.pose.orientation = Eigen::Quaterniond(std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0);
  cylinder.velocity = twist({500.0, 0.0, 0.0}, {0.0, 5.0, 0.0});
  scene.kicks = {{1, KickTrigger::kTurningStops, twist(Vec3::Zero(), {0.0, 0.0, 30'000.0})}};
  constexpr double kH = 0.001;
  const double axial_inertia = cylinder.inertia_kg_mm2.z();
  int kicks = 0;
  const auto check = [&](const SpatialState& start, const SpatialStep& step) {
    const bool is_kicked = is_due(scene, start, 0);
    kicks += is_kicked ? 1 : 0;
    const SpatialContact& c = step.end.contacts[0];
    REQUIRE(c.patch == PatchKind::kLine);
    const Vec3 axis = step.end.poses[1].orientation * Vec3::UnitZ();
    const Vec3 across = Vec3::UnitZ().cross(axis);
    const Vec3 arm = c.on_b_mm - step.end.poses[1].position_mm;
    const Vec3 friction = -(c.p_t * c.t + c.p_o * c.o);
    const Vec3 w = step.end.velocities[1].tail<3>();
    // The moment about `across`, exactly, and as the continuous motion has it, up to O(h).
    const Vec3 gained = inertia_in_world(cylinder, step.end.poses[1]) * w -
                        inertia_in_world(cylinder, start.poses[1]) * start.velocities[1].tail<3>();
    const double continuous = axial_inertia * w.dot(axis) * w.z() * kH;
    const double p_1 = friction.dot(axis);
    const double d1 = arm.dot(axis);
    CHECK(d1 == Approx(-(100.0 * p_1 + gained.dot(across)) / c.p_n).margin(1e-5));
    // In a kick's step the spin turns by half a step less.
    if (!is_kicked) CHECK(d1 == Approx(-(100.0 * p_1 + continuous) / c.p_n).margin(0.1));
    CHECK(std::abs(arm.dot(across)) < 1e-6);
    CHECK(std::abs(d1) < 150.0);
    CHECK(c.p_n == Approx(3.0 * 9800.0 * kH).epsilon(1e-3));
    CHECK(std::abs(step.end.poses[1].position_mm.z() - 100.0) < 1e-6);
  };
  CHECK(run_spatial(scene, *implicit_stepper(), kH, 120, check));
  CHECK(kicks >= 2);
}

TEST_CASE("bodies that meet in free space keep their momenta") {
  SpatialScene scene;
  scene.gravity_mm_s2.setZero();
  scene.friction = {0.4, 1.0, 1.0, 10.0};
  scene.bodies = {uniform("box", Box3{Vec3(60.0, 40.0, 30.0)}, 2.0, Vec3::Zero()),
                  uniform("ball", Sphere{30.0}, 1.0, {125.0, 15.0, 5.0})};
  scene.bodies[0].pose.orientation = Eigen::Quaterniond(0.9, 0.1, 0.2, 0.3).normalized();
  scene.bodies[0].velocity = twist({50.0, 0.0, 10.0}, {0.3, -2.0, 1.0});
  scene.bodies[1].velocity = twist({-600.0, 20.0, 0.0}, {0.0, 1.0, 9.0});
  const auto spin_momentum = [&](const SpatialState& state) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      sum += inertia_in_world(scene.bodies[i], state.poses[i]) * state.velocities[i].tail<3>();
    }
    return sum;
  };
  const auto linear_momentum = [&](const SpatialState& state) -> Vec3 {
    return 2.0 * state.velocities[0].head<3>() + state.velocities[1].head<3>();
  };
  // Backward Euler keeps the sum of the spins' and of r x m v with the arms of the step's end.
  const auto orbital_change = [&](const SpatialState& start, const SpatialState& end) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3 change = end.velocities[i].head<3>() - start.velocities[i].head<3>();
      sum += end.poses[i].position_mm.cross(Vec3(scene.bodies[i].mass_kg * change));
    }
    return sum;
  };
  const Vec3 before = linear_momentum(start_state(scene));
  bool has_touched = false;
  const auto check = [&](const SpatialState& start, const SpatialStep& step) {
    CHECK((linear_momentum(step.end) - before).norm() < 1e-6);
    const Vec3 angular = spin_momentum(step.end) - spin_momentum(start);
    CHECK((angular + orbital_change(start, step.end)).norm() < 1e-4);
    for (const auto& c : step.end.contacts) has_touched |= c.patch != PatchKind::kOpen;
    CHECK(step.worst_overlap_mm() < 1e-7);
    CHECK(energy(scene, step.end).total_j() < energy(scene, start).total_j() * (1.0 + 1e-4));
  };
  CHECK(run_spatial(scene, *implicit_stepper(), 0.004, 40, check));
  CHECK(has_touched);
}

TEST_CASE("drilling friction stops a spinning ball at mu m g e_r over I") {
  SpatialScene scene;
  scene.friction = {0.3, 1.0, 1.0, 20.0};
  scene.bodies = {ground(), uniform("ball", Sphere{50.0}, 2.0, {0.0, 0.0, 50.0})};
  scene.bodies[1].velocity = twist(Vec3::Zero(), {0.0, 0.0, 20.0});
  const double slowing = 0.3 * 2.0 * 9810.0 * 20.0 / scene.bodies[1].inertia_kg_mm2.z();
  double w = 20.0;
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    w = std::max(0.0, w - 0.01 * slowing);
    CHECK(step.end.velocities[1][5] == Approx(w).margin(1e-8));
  };
  CHECK(run_spatial(scene, *implicit_stepper(), 0.01, 40, check));
  CHECK(w == 0.0);
}

TEST_CASE("boxes and an ellipsoid stand on each other") {
  SpatialScene scene;
  scene.friction = {0.5, 1.0, 1.0, 100.0};
  scene.bodies = {ground(), uniform("low", Box3{Vec3(100.0, 100.0, 50.0)}, 3.0, {0.0, 0.0, 50.0}),
                  uniform("high", Box3{Vec3(50.0, 50.0, 50.0)}, 1.0, {20.0, 10.0, 150.5}),
                  uniform("egg", Ellipsoid{Vec3(40.0, 30.0, 20.0)}, 1.0, {20.0, 10.0, 221.0})};
  SpatialState end;
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    CHECK(step.worst_overlap_mm() < 1e-7);
    end = step.end;
  };
  REQUIRE(run_spatial(scene, *implicit_stepper(), 0.01, 12, check));
  CHECK(end.poses[2].position_mm.z() == Approx(150.0));
  CHECK(end.poses[3].position_mm.z() == Approx(220.0));
  double weight = 0.0;
  for (const SpatialContact& c : end.contacts) {
    if (c.body_a == 0) weight += c.p_n / 0.01;
  }
  CHECK(weight == Approx(5.0 * 9810.0));
}

TEST_CASE("a block slides along a wall that it is beside with friction") {
  SpatialScene scene;
  scene.gravity_mm_s2.setZero();
  scene.bodies = {uniform("wall", Box3{Vec3(10.0, 400.0, 200.0)}, 1.0, Vec3::Zero()),
                  uniform("block", Box3{Vec3(10.0, 50.0, 10.0)}, 0.3, {20.0, 60.0, 0.0})};
  scene.bodies[0].is_fixed = true;
  scene.bodies[1].velocity = twist({0.0, 100.0, 0.0});
  scene.bodies[1].force = twist({-1000.0, 0.0, 0.0});
  scene.friction.mu = 0.1;
  double v_y = 0.0;
  REQUIRE(run_spatial(scene, *implicit_stepper(), 0.005, 20, [&](const auto&, const auto& step) {
    v_y = step.end.velocities[1][1];
    REQUIRE(step.end.contacts.size() == 1);
    CHECK(std::abs(step.end.contacts[0].normal.x()) == Approx(1.0));
  }));
  CHECK(v_y == Approx(100.0 - 0.1 * 1000.0 / 0.3 * 0.1));
}

TEST_CASE("a step in space that is not solved says so") {
  SpatialStepperSettings settings;
  settings.max_iterations = 1;
  const SpatialScene scene = sphere_on_two_spheres();
  SpatialStep step;
  make_spatial_implicit(settings, false)->step(scene, start_state(scene), 0.5, step);
  CHECK(step.status != mcp::Status::kSolved);
  CHECK(step.residual > settings.tolerance);
}

TEST_CASE("the same step in space gives the same bits") {
  const SpatialScene scene = sliding_cube({4000.0, 2000.0, 0.0});
  const auto stepper = implicit_stepper();
  SpatialStep first;
  SpatialStep second;
  stepper->step(scene, start_state(scene), 0.01, first);
  const SpatialState middle = first.end;
  stepper->step(scene, middle, 0.01, second);
  implicit_stepper()->step(scene, middle, 0.01, first);
  CHECK(first.end.velocities[1] == second.end.velocities[1]);
  CHECK(first.end.poses[1].position_mm == second.end.poses[1].position_mm);
}

TEST_CASE("bodies that tumble down a ramp leave it and land without loss of a step") {
  // With much friction they roll until they lift off: p_n, sigma and 1 - |u|^2 vanish together.
  struct Tumbling {
    Solid solid;
    double e_r_mm;
    Vec3 start_mm;
    int steps;
  };
  const Tumbling tumbling =
      GENERATE(Tumbling{Ellipsoid{Vec3(40.0, 30.0, 20.0)}, 0.0, {0.0, 0.0, 200.0}, 190},
               Tumbling{Superquadric{Vec3(40.0, 30.0, 30.0), 6.0}, 5.0, {-300.0, 0.0, 400.0}, 120});
  SpatialScene scene;
  scene.friction = {0.8, 1.0, 1.0, tumbling.e_r_mm};
  scene.bodies = {ground(), uniform("body", tumbling.solid, 1.0, tumbling.start_mm)};
  scene.bodies[0].pose.orientation = Eigen::AngleAxisd(M_PI / 6.0, Vec3::UnitY());
  int lifted = 0;
  bool was_down = false;
  const auto check = [&](const SpatialState&, const SpatialStep& step) {
    CHECK(step.worst_overlap_mm() < 1e-7);
    bool is_down = false;
    for (const auto& c : step.end.contacts) is_down |= c.patch != PatchKind::kOpen;
    lifted += was_down && !is_down ? 1 : 0;
    was_down = is_down;
  };
  CHECK(run_spatial(scene, *implicit_stepper(), 0.004, tumbling.steps, check));
  CHECK(lifted > 0);
}
