#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/lab/spatial/linear_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kG = 9810.0;

constexpr std::array kLinearSteppers{SpatialStepperKind::kStewartTrinkle,
                                     SpatialStepperKind::kStewartTrinkleNonlinear,
                                     SpatialStepperKind::kAnitescuPotra};
constexpr std::array kPositionSteppers{SpatialStepperKind::kStewartTrinkle,
                                       SpatialStepperKind::kStewartTrinkleNonlinear};

/// A run that must not fail.
std::vector<SpatialSnapshot> run(const SpatialScene& scene, SpatialStepperKind kind, double step_s,
                                 double duration_s) {
  SceneRun outcome;
  auto seen = snapshots(scene, kind, step_s, duration_s, outcome);
  REQUIRE_FALSE(outcome.failure);
  return seen;
}

Vec3 position(const SpatialSnapshot& snapshot, std::size_t body = 1) {
  return snapshot.poses[body].position_mm;
}

}  // namespace

TEST_CASE("a ball falls and stays without a bounce in the linear steppers in space") {
  const auto scene =
      scene_of({ground(), uniform("body", Sphere{50.0}, 2.0, {0.0, 0.0, 150.0})}, 0.5);
  for (const SpatialStepperKind kind : kPositionSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, 0.01, 0.5);
    // Implicit Euler falls g t (t + h) / 2: the 100 mm are reached in the 14th step.
    CHECK(position(seen[13]).z() == Approx(150.0 - kG * 0.13 * 0.14 / 2.0));
    CHECK(position(seen[14]).z() == Approx(50.0));
    // The step of the landing ends on the ground, the next one without velocity.
    for (std::size_t i = 16; i < seen.size(); ++i) {
      CHECK(seen[i].velocities[1].norm() < 1e-9);
      CHECK(seen[i].contacts[0].p_n == Approx(2.0 * kG * 0.01));
      CHECK(seen[i].contacts[0].patch == PatchKind::kPoint);
    }
  }
  // The velocity-level one stops where it touches, deeper by less than a step's fall.
  const auto seen = run(scene, SpatialStepperKind::kAnitescuPotra, 0.001, 0.5);
  CHECK(position(seen.back()).z() == Approx(50.0).margin(1.5));
  CHECK(seen.back().velocities[1].norm() < kG * 0.001 + 1e-9);
}

TEST_CASE("a sliding ball rolls with five sevenths of its velocity") {
  auto ball = uniform("body", Sphere{1000.0}, 1.0, {0.0, 0.0, 1000.0});
  ball.velocity << 2000.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  const auto scene = scene_of({ground(), ball}, 0.2);
  const double rolls_at = 2.0 * 2000.0 / (7.0 * 0.2 * kG);
  for (const SpatialStepperKind kind : kLinearSteppers) {
    INFO(name(kind));
    for (const SpatialSnapshot& snapshot : run(scene, kind, 0.002, 0.4)) {
      const double t = snapshot.time_s;
      const double slid = t < rolls_at ? 2000.0 - 0.2 * kG * t : 10000.0 / 7.0;
      CHECK(snapshot.velocities[1][0] == Approx(slid).epsilon(1e-9));
      CHECK(std::abs(snapshot.velocities[1][1]) < 1e-6);
      CHECK(snapshot.velocities[1][4] == Approx(2.5 * (2000.0 - slid) / 1000.0).margin(1e-9));
    }
  }
}

TEST_CASE("a box rests on its face") {
  const auto scene = scene_of(
      {ground(), uniform("body", Box3{Vec3(30.0, 20.0, 10.0)}, 0.7, {5.0, 6.0, 10.0})}, 0.3);
  for (const SpatialStepperKind kind : kLinearSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, 0.01, 0.5);
    CHECK((position(seen.back()) - Vec3(5.0, 6.0, 10.0)).norm() < 1e-9);
    CHECK(seen.back().poses[1].orientation.vec().norm() < 1e-12);
    double p_n = 0.0;
    for (const SpatialContact& contact : seen.back().contacts) p_n += contact.p_n;
    CHECK(p_n == Approx(0.7 * kG * 0.01));
    CHECK(seen.back().contacts[0].patch == PatchKind::kSurface);
  }
}

TEST_CASE("a box that slides stops after v^2 / (2 mu g)") {
  auto box = uniform("body", Box3{Vec3(250.0, 250.0, 250.0)}, 3.0, {0.0, 0.0, 250.0});
  box.velocity << 2000.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  const auto scene = scene_of({ground(), box}, 0.22);
  const double b = 0.22 * kG;
  constexpr double kStep = 0.01;
  for (const SpatialStepperKind kind : kLinearSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, kStep, 1.2);
    double x = 0.0;  // of the discrete law v_k = max(0, v_0 - k b h)
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const double v = std::max(0.0, 2000.0 - static_cast<double>(k) * b * kStep);
      if (k > 0) x += kStep * v;
      CHECK(position(seen[k]).x() == Approx(x).epsilon(1e-9));
      CHECK(std::abs(position(seen[k]).y()) < 1e-6);
    }
    CHECK(x == Approx(2000.0 * 2000.0 / (2.0 * b)).epsilon(0.02));
  }
}

TEST_CASE("a tilted box falls on its face and lies there") {
  auto box = uniform("body", Box3{Vec3(40.0, 30.0, 20.0)}, 1.0, {0.0, 0.0, 60.0});
  box.pose.orientation = Eigen::AngleAxisd(0.3, Vec3(1.0, 2.0, 0.5).normalized());
  const auto scene = scene_of({ground(), box}, 0.5);
  for (const SpatialStepperKind kind : kPositionSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, 0.005, 1.0);
    CHECK(position(seen.back()).z() == Approx(20.0).margin(1e-3));
    CHECK(seen.back().velocities[1].norm() < 1e-2);
    CHECK(seen.back().contacts[0].patch == PatchKind::kSurface);
    for (const SpatialSnapshot& snapshot : seen) {
      if (kind != SpatialStepperKind::kStewartTrinkleNonlinear) break;
      for (const SpatialContact& contact : snapshot.contacts) CHECK(contact.gap_mm > -1e-9);
    }
  }
}

TEST_CASE("an upright cylinder stands and a lying one rolls") {
  const auto cylinder = uniform("body", Cylinder{50.0, 80.0}, 2.0, {0.0, 0.0, 80.0});
  const auto upright = run(scene_of({ground(), cylinder}, 0.4),
                           SpatialStepperKind::kStewartTrinkleNonlinear, 0.01, 0.3);
  CHECK((position(upright.back()) - Vec3(0.0, 0.0, 80.0)).norm() < 1e-9);
  CHECK(upright.back().contacts[0].patch == PatchKind::kSurface);

  auto lying = cylinder;
  lying.pose.position_mm.z() = 50.0;
  lying.pose.orientation = Eigen::AngleAxisd(M_PI / 2.0, Vec3::UnitX());
  lying.velocity << 300.0, 0.0, 0.0, 0.0, 6.0, 0.0;
  const auto seen = run(scene_of({ground(), lying}, 0.4),
                        SpatialStepperKind::kStewartTrinkleNonlinear, 0.005, 0.5);
  for (const SpatialSnapshot& snapshot : seen) {
    CHECK(position(snapshot).z() == Approx(50.0).margin(1e-6));
    CHECK(snapshot.velocities[1][0] == Approx(300.0).epsilon(1e-3));
  }
  CHECK(seen.back().contacts[0].patch == PatchKind::kLine);
}

TEST_CASE("a stack of boxes and a cylinder stands") {
  const auto scene =
      scene_of({ground(), uniform("low", Box3{Vec3(100.0, 90.0, 50.0)}, 1.0, {0.0, 0.0, 50.0}),
                uniform("middle", Box3{Vec3(60.0, 50.0, 40.0)}, 2.0, {10.0, 5.0, 141.0}),
                uniform("top", Cylinder{30.0, 20.0}, 0.5, {0.0, 0.0, 203.0})},
               0.5);
  for (const SpatialStepperKind kind : kPositionSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, 0.01, 0.4);
    CHECK((position(seen.back(), 1) - Vec3(0.0, 0.0, 50.0)).norm() < 1e-9);
    CHECK((position(seen.back(), 2) - Vec3(10.0, 5.0, 140.0)).norm() < 1e-9);
    CHECK((position(seen.back(), 3) - Vec3(0.0, 0.0, 200.0)).norm() < 1e-9);
    CHECK(seen.back().energy.kinetic_j < 1e-20);
  }
}

TEST_CASE("friction of an ellipse brakes by e_t along x and e_o along y") {
  const Vec2 e = GENERATE(Vec2(1.0, 0.5), Vec2(0.25, 1.0));
  const int axis = GENERATE(0, 1);
  auto box = uniform("body", Box3{Vec3(50.0, 50.0, 10.0)}, 1.0, {0.0, 0.0, 10.0});
  box.velocity[axis] = 1000.0;
  auto scene = scene_of({ground(), box}, 0.3);
  scene.friction.e_t = e.x();
  scene.friction.e_o = e.y();
  const auto seen = run(scene, SpatialStepperKind::kStewartTrinkle, 0.01, 0.1);
  CHECK(seen.back().velocities[1][axis] == Approx(1000.0 - e[axis] * 0.3 * kG * 0.1));
  CHECK(std::abs(seen.back().velocities[1][1 - axis]) < 1e-9);
}

TEST_CASE("a ball rests in the corner of a tilted floor and a fixed box") {
  auto floor = ground();
  floor.pose.orientation = Eigen::AngleAxisd(0.2, Vec3::UnitY());  // down along x
  auto wall = uniform("body", Box3{Vec3(10.0, 100.0, 100.0)}, 1.0, {200.0, 0.0, 0.0});
  wall.is_fixed = true;
  const auto scene =
      scene_of({floor, uniform("body", Sphere{30.0}, 1.0, {0.0, 0.0, 40.0}), wall}, 0.1);
  for (const SpatialStepperKind kind : kPositionSteppers) {
    INFO(name(kind));
    const auto seen = run(scene, kind, 0.005, 1.5);
    CHECK(position(seen.back()).x() == Approx(160.0).margin(1e-6));
    CHECK(seen.back().velocities[1].norm() < 1e-6);
    CHECK(seen.back().energy.kinetic_j < 1e-12);
  }
}

TEST_CASE("a ball on a fixed ellipsoid slips off without overlap") {
  auto hill = uniform("body", Ellipsoid{Vec3(100.0, 150.0, 60.0)}, 1.0, {0.0, 0.0, 0.0});
  hill.is_fixed = true;
  const auto scene = scene_of({hill, uniform("body", Sphere{20.0}, 1.0, {50.0, 30.0, 80.0})}, 0.2);
  const auto seen = run(scene, SpatialStepperKind::kStewartTrinkleNonlinear, 0.01, 0.4);
  int touching = 0;
  for (const SpatialSnapshot& snapshot : seen) {
    for (const SpatialContact& contact : snapshot.contacts) {
      CHECK(contact.gap_mm > -1e-7);
      if (contact.p_n > 0.0) ++touching;
    }
  }
  CHECK(touching > 8);
  CHECK(position(seen.back()).z() < 0.0);
}

TEST_CASE("the four balls land and roll and hit as in closed form") {
  const auto seen = run(four_balls(), SpatialStepperKind::kStewartTrinkleNonlinear, 0.0025, 0.7);
  double landed_s = 0.0;
  double hit_s = 0.0;
  double last_energy = seen.front().energy.total_j();
  for (const SpatialSnapshot& snapshot : seen) {
    for (const SpatialContact& contact : snapshot.contacts) {
      CHECK(contact.gap_mm > -1e-9);
      if (contact.p_n == 0.0) continue;
      if (contact.body_b == 1 && landed_s == 0.0) landed_s = snapshot.time_s;
      if (contact.body_a == 1 && hit_s == 0.0) hit_s = snapshot.time_s;
    }
    CHECK(snapshot.energy.total_j() < last_energy + 1e-9);
    last_energy = snapshot.energy.total_j();
    if (snapshot.time_s > 0.44 && snapshot.time_s < 0.575) {  // rolling
      Twist rolling;
      rolling << 15000.0 / 14.0, 1000.0 / 14.0, 0.0, -10.0 / 14.0, 150.0 / 14.0, 0.0;
      CHECK((snapshot.velocities[1] - rolling).norm() < 1e-6);
    }
  }
  CHECK(landed_s == Approx(0.428353).margin(0.005));
  CHECK(hit_s == Approx(0.582213).margin(0.005));
  for (std::size_t ball = 1; ball <= 4; ++ball) {
    CHECK(seen.back().velocities[ball][0] > 100.0);  // the hit ran through to the last one
  }
}

TEST_CASE("the gyroscopic moment of a turning box acts at the start of a step") {
  auto box = uniform("body", Box3{Vec3(30.0, 20.0, 10.0)}, 1.0, {0.0, 0.0, 0.0});
  box.velocity << 0.0, 0.0, 0.0, 3.0, -2.0, 1.0;
  auto scene = scene_of({box}, 0.0);
  scene.gravity_mm_s2.setZero();
  SpatialStep step;
  constexpr double kStep = 0.01;
  make_spatial_stepper(SpatialStepperKind::kStewartTrinkle, {})
      ->step(scene, start_state(scene), kStep, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  const Vec3 w(3.0, -2.0, 1.0);
  const Vec3 Iw = box.inertia_kg_mm2.cwiseProduct(w);
  const Vec3 gained = -kStep * w.cross(Iw).cwiseQuotient(box.inertia_kg_mm2);
  CHECK((step.end.velocities[0].tail<3>() - w - gained).norm() < 1e-12);
}

TEST_CASE("a turning box whose explicit gyroscopic moment diverges ends the run") {
  auto box = uniform("body", Box3{Vec3(50.0, 10.0, 25.0)}, 0.3, {0.0, 0.0, 0.0});
  box.velocity << 0.0, 0.0, 0.0, 30.0, 40.0, 50.0;
  const auto scene = scene_of({box}, 0.0);
  for (const SpatialStepperKind kind : kLinearSteppers) {
    INFO(name(kind));
    SceneRun outcome;
    const auto seen = snapshots(scene, kind, 0.1, 4.0, outcome);
    REQUIRE(outcome.failure);
    CHECK(outcome.failure->status == mcp::Status::kNotFinite);
    for (const Twist& nu : seen.back().velocities) CHECK(nu.allFinite());
  }
}

TEST_CASE("a fixed point that has no time to converge is not solved") {
  SpatialStepperSettings settings;
  settings.max_iterations = 1;
  const auto scene = four_balls();
  auto state = start_state(scene);
  state.poses[1].position_mm = Vec3(807.0, 54.0, 100.0);  // in the middle of the hit
  state.velocities[1] << 1000.0, 70.0, 0.0, 0.0, 0.0, 0.0;
  SpatialStep step;
  make_spatial_stepper(SpatialStepperKind::kStewartTrinkleNonlinear, settings)
      ->step(scene, state, 0.01, step);
  CHECK(step.status == mcp::Status::kIterationLimit);
  CHECK(step.residual > 1e-12);
}

TEST_CASE("linear steps in space give the same bits again") {
  for (const SpatialStepperKind kind : kLinearSteppers) {
    const auto once = run(four_balls(), kind, 0.01, 0.7);
    const auto twice = run(four_balls(), kind, 0.01, 0.7);
    CHECK(once.back().velocities == twice.back().velocities);
  }
}
