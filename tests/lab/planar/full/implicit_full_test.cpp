/// The full step on single bodies: closed forms and the papers' examples.

#include "lab/planar/full/implicit_full.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "lab/planar/stepper.hpp"
#include "tests/support/planar_scenes.hpp"

using namespace graspmap;

namespace {

/// A body above the half-plane y <= 0.
PlanarScene floor_scene(const ConvexShape& shape, double mass_kg, double inertia_kg_mm2,
                        const Vec3& pose, const Vec3& velocity, double mu) {
  PlanarScene scene;
  scene.mu = mu;
  PlanarBody floor;
  floor.name = "floor";
  floor.shapes = {{half_plane_shape(), {}}};
  PlanarBody body;
  body.name = "body";
  body.shapes = {{shape, {}}};
  body.mass_kg = mass_kg;
  body.inertia_kg_mm2 = inertia_kg_mm2;
  body.pose = pose;
  scene.bodies = {floor, body};
  set_free(scene, 1, velocity);
  return scene;
}

/// Runs with the full stepper, without halving; calls `see` after every step.
SceneRun run_full(const PlanarScene& scene, double step_s, double duration_s,
                  const std::function<void(const PlanarState&, const PlanarStep&)>& see) {
  const auto stepper = make_implicit_full({});
  SceneRunSettings settings;
  settings.step_s = step_s;
  settings.duration_s = duration_s;
  settings.max_halvings = 0;
  const SceneRun run =
      simulate_scene(scene, *stepper, settings, [&](const PlanarState& state, const PlanarStep* s) {
        if (s != nullptr) see(state, *s);
        return true;
      });
  INFO((run.failure ? run.failure->time_s : -1.0));
  CHECK_FALSE(run.failure);
  CHECK(run.totals.worst_overlap_mm < 1e-8);
  return run;
}

}  // namespace

TEST_CASE("a full step that is stopped takes no iteration more") {
  const PlanarScene scene = testing::disc_stack(2);
  for (const int allowed : {0, 1, 10, 100, 500}) {
    int asked = 0;
    StepperSettings settings;
    settings.tolerance = 0.0;
    settings.is_stopped = [&] { return ++asked > allowed; };
    PlanarStep step;
    make_implicit_full(settings)->step(scene, start_state(scene), 4.0, step);
    INFO(allowed);
    CHECK(asked > allowed);
    CHECK(step.iterations <= allowed);
    CHECK(step.status == mcp::Status::kIterationLimit);
  }
}

TEST_CASE("a rolling disc keeps its energy in the full step") {
  // section 6.1: 6.75 J for ever
  const PlanarScene scene = floor_scene(Superellipse{1000.0, 1000.0, 2.0}, 1.0, 0.5e6,
                                        {0.0, 1000.0, 0.0}, {-3000.0, 0.0, 3.0}, 0.4);
  run_full(scene, 0.01, 3.0, [&](const PlanarState& state, const PlanarStep& step) {
    REQUIRE(energy(scene, state).kinetic_j == Approx(6.75).epsilon(1e-9));
    REQUIRE(state.poses[1].x() == Approx(-3000.0 * state.time_s).epsilon(1e-9));
    REQUIRE(step.contacts.size() == 1);
    REQUIRE(step.contacts[0].p_n == Approx(98.1).epsilon(1e-9));
  });
}

TEST_CASE("a sliding disc starts to roll in the full step") {
  const PlanarScene scene = floor_scene(Superellipse{1000.0, 1000.0, 2.0}, 1.0, 0.5e6,
                                        {0.0, 1000.0, 0.0}, {-3000.0, 0.0, 0.0}, 0.4);
  constexpr double kRolls = 3.0 / (3.0 * 0.4 * 9.81);
  run_full(scene, 0.01, 0.5, [&](const PlanarState& state, const PlanarStep& step) {
    if (state.time_s < kRolls) {
      REQUIRE(state.nu[0] == Approx(-3000.0 + 0.4 * 9810.0 * state.time_s).epsilon(1e-9));
      REQUIRE(step.contacts[0].p_t == Approx(-0.4 * step.contacts[0].p_n).epsilon(1e-9));  // on A
    } else if (state.time_s > kRolls + 0.01) {
      REQUIRE(state.nu[0] == Approx(-2000.0).epsilon(1e-9));
      REQUIRE(state.nu[2] == Approx(2.0).epsilon(1e-9));
    }
  });
}

TEST_CASE("an ellipse that falls and rocks loses energy only and stays above the floor") {
  for (const double exponent : {2.0, 4.0}) {
    const PlanarScene scene = floor_scene(Superellipse{30.0, 15.0, exponent}, 1.0, 200.0,
                                          {0.0, 40.0, 0.3}, {100.0, 0.0, 0.0}, 0.3);
    double last = energy(scene, start_state(scene)).total_j();
    run_full(scene, 0.002, 1.0, [&](const PlanarState& state, const PlanarStep&) {
      const double now = energy(scene, state).total_j();
      REQUIRE(now < last + 1e-9);
      last = now;
    });
    CHECK(last < 0.16);  // m g b = 0.147 J lying flat, 0.29 J upright
  }
}

TEST_CASE("a box that falls on a corner comes to rest flat in the full step") {
  const RoundedPolygon box = polygon({{-20.0, -10.0}, {20.0, -10.0}, {20.0, 10.0}, {-20.0, 10.0}});
  const PlanarScene scene = floor_scene(box, 1.0, 200.0, {0.0, 40.0, 0.3}, {100.0, 0.0, 0.0}, 0.3);
  PlanarState end;
  run_full(scene, 0.002, 0.5, [&](const PlanarState& state, const PlanarStep&) { end = state; });
  CHECK(end.poses[1].y() == Approx(10.0).margin(1e-8));
  CHECK(end.poses[1][2] == Approx(0.0).margin(1e-9));
  CHECK(end.nu.norm() < 1e-6);
}

TEST_CASE("a pendulum on a pin keeps its length and its energy's order in the full step") {
  // 1 m from the pin to the centre of mass and back: the pin's rows hold at the end of each step
  PlanarScene scene = floor_scene(Superellipse{10.0, 10.0, 2.0}, 1.0, 1e4, {1000.0, 3000.0, 0.0},
                                  Vec3::Zero(), 0.0);
  scene.pins.push_back({0, 1, {0.0, 3000.0}, {-1000.0, 0.0}});
  const double start = energy(scene, start_state(scene)).total_j();
  run_full(scene, 1e-4, 0.5, [&](const PlanarState& state, const PlanarStep& step) {
    const Vec2 arm = state.poses[1].head<2>() - Vec2(0.0, 3000.0);
    REQUIRE(arm.norm() == Approx(1000.0).epsilon(1e-10));
    REQUIRE(step.pin_impulses.size() == 1);
    REQUIRE(energy(scene, state).total_j() == Approx(start).epsilon(1e-3));
  });
}

TEST_CASE("the full stepper remembers nothing that changes a step") {
  const RoundedPolygon box = polygon({{-20.0, -10.0}, {20.0, -10.0}, {20.0, 10.0}, {-20.0, 10.0}});
  const PlanarScene scene = floor_scene(box, 1.0, 200.0, {0.0, 25.0, 0.3}, {100.0, 0.0, 2.0}, 0.3);
  const auto used = make_implicit_full({});
  PlanarState before = start_state(scene);
  PlanarStep step;
  PlanarStep alone;
  int touching = 0;
  for (int i = 0; i < 100; ++i) {
    used->step(scene, before, 0.002, step);
    REQUIRE(step.status == mcp::Status::kSolved);
    make_implicit_full({})->step(scene, before, 0.002, alone);
    REQUIRE(alone.end.nu == step.end.nu);
    REQUIRE(alone.residual == step.residual);
    if (!step.contacts.empty()) ++touching;
    before = step.end;
  }
  CHECK(touching > 30);
}

TEST_CASE("a step of the full stepper that has no near pair is free flight") {
  const PlanarScene scene = floor_scene(Superellipse{10.0, 10.0, 2.0}, 0.1, 5.0, {0.0, 500.0, 0.0},
                                        {10.0, 20.0, 3.0}, 0.3);
  PlanarStep step;
  make_implicit_full({})->step(scene, start_state(scene), 0.01, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  CHECK(step.contacts.empty());
  CHECK(step.unknowns == 3);
  CHECK(step.end.nu.isApprox(Vec3(10.0, 20.0 - 98.1, 3.0), 1e-12));
}
