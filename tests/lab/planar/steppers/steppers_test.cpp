// What all time-steppers have to do alike.
#include <array>
#include <catch2/catch.hpp>

#include "lab/planar/steppers/make_stepper.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

constexpr std::array kLinearSteppers{StepperKind::kImplicit,
                                     StepperKind::kStewartTrinkle,
                                     StepperKind::kStewartTrinkleNonlinear,
                                     StepperKind::kAnitescuPotra,
                                     StepperKind::kAnitescuHart,
                                     StepperKind::kAnitescuHartUnstabilised,
                                     StepperKind::kAnitescuHartConvex};

StepperKind any_stepper() {
  return kLinearSteppers[static_cast<std::size_t>(
      GENERATE(range(0, static_cast<int>(kLinearSteppers.size()))))];
}

bool holds_gaps(StepperKind kind) {
  return kind != StepperKind::kAnitescuPotra && kind != StepperKind::kAnitescuHartUnstabilised;
}

TEST_CASE("A pendulum swings with its period", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const double angle = 0.1;
  // 2 pi sqrt(J/(m g l/2)) (1 + angle^2/16), J = m l^2/3.
  const double period_s = 2.0 * std::numbers::pi * std::sqrt(1000.0 / 3.0 / (0.5 * 9810.0)) *
                          (1.0 + angle * angle / 16.0);
  const PlanarScene scene = testing::pendulum(angle);
  const auto stepper = make_stepper(kind, {});
  double before = angle;
  double before_s = 0.0;
  std::vector<double> crossings_s;
  double drift_mm = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    const double now = state.poses[1].z() + 0.5 * std::numbers::pi;
    if (before * now < 0.0) {
      crossings_s.push_back(before_s + (state.time_s - before_s) * before / (before - now));
    }
    before = now;
    before_s = state.time_s;
    const Vec3& pose = state.poses[1];
    testing::keep_largest(drift_mm, transform({pose.head<2>(), pose.z()}, {-500.0, 0.0}).norm());
    if (step != nullptr) REQUIRE(step->pin_impulses.size() == 1);
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {0.001, 2.2, 0}, observe).failure);
  REQUIRE(crossings_s.size() >= 3);
  CHECK(crossings_s[2] - crossings_s[0] == Approx(period_s).margin(1e-4));
  if (kind == StepperKind::kImplicit || kind == StepperKind::kStewartTrinkleNonlinear) {
    CHECK(drift_mm < 1e-8);
  } else {
    CHECK(drift_mm < (holds_gaps(kind) ? 1e-4 : 0.1));
  }
}

TEST_CASE("A pin carries what hangs from it", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const PlanarScene scene = testing::pendulum(0.0);
  PlanarStep step;
  make_stepper(kind, {})->step(scene, start_state(scene), 0.01, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  CHECK(step.pin_impulses[0].x() == Approx(0.0).margin(1e-8));
  CHECK(step.pin_impulses[0].y() == Approx(-98.1));  // on the pivot
  CHECK(step.end.nu.norm() < 1e-9);
}

TEST_CASE("A disc on the table is slowed down by mu g", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const PlanarScene scene = testing::sliding_disc({100.0, 0.0, 0.0});
  const double h = 5e-4;
  const double deceleration = 0.3 * 9810.0;
  const auto stepper = make_stepper(kind, {});
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    const double speed = std::max(0.0, 100.0 - deceleration * state.time_s);
    CHECK(state.nu[0] == Approx(speed).margin(1e-6));
    CHECK(std::abs(state.nu[1]) + std::abs(state.nu[2]) < 1e-6);
    if (step != nullptr && speed > 0.0) {
      CHECK(step->table_impulses[0].x() == Approx(-deceleration * 0.1 * h).epsilon(1e-6));
    }
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {h, 0.05, 0}, observe).failure);
}

TEST_CASE("Friction on the table is at its limit along the motion with any directions",
          "[steppers]") {
  const PlanarScene scene = testing::sliding_disc({80.0, 60.0, 0.0});
  for (const int directions : {6, 14, 26}) {
    StepperSettings settings;
    settings.table_directions = directions;
    PlanarStep step;
    make_stepper(StepperKind::kAnitescuHart, settings)->step(scene, start_state(scene), 1e-3, step);
    REQUIRE(step.status == mcp::Status::kSolved);
    const Vec2 p = step.table_impulses[0].head<2>();
    const double limit = 0.3 * 0.1 * 9810.0 * 1e-3;
    CHECK(p.dot(Vec2(0.8, 0.6)) == Approx(-limit).epsilon(1e-9));
  }
}

TEST_CASE(
    "Friction that holds a body at rest is within the ellipsoid and closer to it with more "
    "directions",
    "[steppers]") {
  // A push along a diagonal that is just under the limit of friction: the polytope lets it slip.
  PlanarScene scene = testing::sliding_disc(Vec3::Zero());
  const double limit_mn = 0.3 * 0.1 * 9810.0;
  scene.drives = {{0, 0.95 * limit_mn * 0.8, 0.0}, {1, 0.95 * limit_mn * 0.6, 0.0}};
  double before = 1e9;
  for (const int directions : {6, 26}) {
    StepperSettings settings;
    settings.table_directions = directions;
    PlanarStep step;
    make_stepper(StepperKind::kAnitescuHart, settings)->step(scene, start_state(scene), 1e-3, step);
    REQUIRE(step.status == mcp::Status::kSolved);
    CHECK(step.table_impulses[0].head<2>().norm() <= limit_mn * 1e-3 * (1.0 + 1e-9));
    const double slip = step.end.nu.head<2>().norm();
    CHECK(slip < before);
    before = slip;
  }
}

TEST_CASE("A drive brings a body to its final speed", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  PlanarScene scene = testing::sliding_disc(Vec3::Zero());
  scene.tables.clear();
  scene.drives.push_back({0, 50.0, 2.0});
  const double h = 1e-3;
  const auto stepper = make_stepper(kind, {});
  double expected = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    // Implicit Euler of m dv/dt = F - c v.
    if (step != nullptr) expected = (0.1 * expected + h * 50.0) / (0.1 + h * 2.0);
    CHECK(state.nu[0] == Approx(expected).margin(1e-9));
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {h, 0.5, 0}, observe).failure);
  CHECK(expected == Approx(25.0).epsilon(1e-3));
}

TEST_CASE("A box that is carried on a shaken floor goes with it", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const ConvexShape box = polygon({{-40.0, -25.0}, {40.0, -25.0}, {40.0, 25.0}, {-40.0, 25.0}});
  PlanarScene scene;
  scene.mu = 0.5;
  scene.bodies.push_back(testing::table_body());
  scene.bodies[0].shake = Shake{20.0, 1.0, 2.0};  // at most 395 mm/s^2: it does not take off
  testing::add_free_body(scene, box, 1.0, 800.0, {0.0, 25.0, 0.0}, Vec3::Zero());
  const auto stepper = make_stepper(kind, {});
  double highest_mm = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    const double above = state.poses[1].y() - state.poses[0].y() - 25.0;
    highest_mm = std::max(highest_mm, state.poses[0].y());
    CHECK(above == Approx(0.0).margin(holds_gaps(kind) ? 1e-8 : 0.5));
    CHECK(std::abs(state.poses[1].z()) < 1e-9);
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {0.005, 1.5, 0}, observe).failure);
  CHECK(highest_mm == Approx(20.0).epsilon(1e-3));
}

TEST_CASE("A stack of boxes rests though its contacts are redundant", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const ConvexShape box = polygon({{-40.0, -25.0}, {40.0, -25.0}, {40.0, 25.0}, {-40.0, 25.0}});
  PlanarScene scene;
  scene.mu = 0.5;
  scene.bodies.push_back(testing::table_body());
  const double shift_mm = GENERATE(0.0, 3.0);  // flush, or as stairs
  for (int i = 0; i < 4; ++i) {
    testing::add_free_body(scene, box, 1.0, 800.0, {shift_mm * i, 25.0 + 50.0 * i, 0.0},
                           Vec3::Zero());
  }
  const auto stepper = make_stepper(kind, {});
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    CHECK(state.nu.cwiseAbs().maxCoeff() < 1e-6);
    if (step != nullptr) {
      double on_table = 0.0;
      for (const PlanarContact& contact : step->contacts) {
        if (contact.key.body_a == 0) on_table += contact.p_n;
      }
      CHECK(on_table == Approx(4.0 * 98.1).epsilon(1e-6));
    }
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {0.01, 0.2, 0}, observe).failure);
}

/// Energies of the disc on a quasi-rigid half-plane, Chakraborty et al. 2014, section 6.3.
struct SoftRun {
  std::vector<double> energies_j;  ///< at the times that were asked for, zero at y = 1 m
  std::vector<double> core_mn_s;   ///< impulses of the rigid core
  std::vector<double> core_s;
};

SoftRun drop_on_layer(StepperKind kind, double max_deflection_mm,
                      const std::vector<double>& times_s) {
  PlanarScene scene;
  scene.bodies.push_back(testing::table_body());
  testing::add_free_body(scene, Superellipse{1000.0, 1000.0, 2.0}, 1.0, 0.5e6, {0.0, 1500.0, 0.0},
                         Vec3::Zero());
  scene.laws.push_back({0, 1, 0.0, true, SoftLayer{1000.0, 0.0, max_deflection_mm}});
  SoftRun result;
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    const std::size_t next = result.energies_j.size();
    if (next < times_s.size() && state.time_s > times_s[next] - 1e-9) {
      result.energies_j.push_back(energy(scene, state).total_j() - 9.81);
    }
    if (step == nullptr) return true;
    for (const PlanarContact& contact : step->contacts) {
      if (contact.p_core < 1.0) continue;
      result.core_mn_s.push_back(contact.p_core);
      result.core_s.push_back(state.time_s);
    }
    return true;
  };
  const auto stepper = make_stepper(kind, {});
  CHECK(!simulate_scene(scene, *stepper, {1e-4, times_s.back(), 0}, observe).failure);
  return result;
}

TEST_CASE("A disc on a soft layer has the energies of backward Euler", "[steppers]") {
  const StepperKind kind = GENERATE(StepperKind::kImplicit, StepperKind::kStewartTrinkle,
                                    StepperKind::kAnitescuHart, StepperKind::kAnitescuHartConvex);
  CAPTURE(name(kind));
  const SoftRun stopped = drop_on_layer(kind, 50.0, {0.34, 0.4, 0.7});
  REQUIRE(stopped.energies_j.size() == 3);
  CHECK(stopped.energies_j[0] == Approx(0.75915).margin(1e-5));
  CHECK(stopped.energies_j[1] == Approx(0.75484).margin(1e-5));
  CHECK(stopped.energies_j[2] == Approx(0.74916).margin(1e-5));
  const SoftRun passed = drop_on_layer(kind, 1000.0, {0.3, 0.4});
  REQUIRE(passed.energies_j.size() == 2);
  CHECK(passed.energies_j[0] == Approx(4.9036).margin(1e-4));
  CHECK(passed.energies_j[1] == Approx(4.8636).margin(1e-4));
  CHECK(passed.core_mn_s.empty());
  REQUIRE(stopped.core_mn_s.size() >= 2);
  CHECK(stopped.core_mn_s[0] == Approx(2703.16).margin(0.01));
  CHECK(stopped.core_s[0] == Approx(0.3356));
  CHECK(stopped.core_mn_s[1] == Approx(165.11).margin(0.01));
  CHECK(stopped.core_s[1] == Approx(0.3357));
}

TEST_CASE("A damped layer sinks and relaxes as its law says", "[steppers]") {
  // A disc held down by its weight: delta' = (m g - k delta)/c while it moves slowly.
  PlanarScene scene;
  scene.bodies.push_back(testing::table_body());
  testing::add_free_body(scene, Superellipse{10.0, 10.0, 2.0}, 1e-3, 1.0, {0.0, 10.0, 0.0},
                         Vec3::Zero());
  scene.laws.push_back({0, 1, 0.0, true, SoftLayer{10.0, 2.0, 5.0}});
  const double h = 1e-3;
  double delta = 0.0;
  double v = 0.0;
  const auto stepper = make_stepper(StepperKind::kImplicit, {});
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    if (step == nullptr) return true;
    // m (v' - v) = h (-m g + k delta') + c (delta' - delta), delta' = delta - h v'.
    v = (1e-3 * v + h * (10.0 * delta - 9.81)) / (1e-3 + h * h * 10.0 + h * 2.0);
    delta -= h * v;
    CHECK(10.0 - state.poses[1].y() == Approx(delta).margin(1e-9));
    REQUIRE(state.deflections.size() == 1);
    CHECK(state.deflections[0].delta_mm == Approx(delta).margin(1e-9));
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {h, 1.0, 0}, observe).failure);
  CHECK(delta == Approx(0.981).epsilon(0.01));

  // Lifted off, it relaxes with the time constant c/k = 0.2 s.
  PlanarState state = start_state(scene);
  state.poses[1].y() = 500.0;
  state.deflections.push_back({{0, 0, 1, 0}, 1.0, {}});
  PlanarStep step;
  for (int i = 0; i < 100; ++i) {
    stepper->step(scene, state, h, step);
    state = step.end;
  }
  REQUIRE(state.deflections.size() == 1);
  CHECK(state.deflections[0].delta_mm == Approx(std::exp(-0.5)).epsilon(0.005));
}

TEST_CASE("Pins that say the same twice are no obstacle", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  PlanarScene scene;
  scene.bodies.push_back(testing::fixed_body("base", Superellipse{1.0, 1.0, 2.0}, Vec3::Zero()));
  testing::add_free_body(scene, rod(990.0, 5.0), 1.0, 1e6 / 12.0, Vec3::Zero(), Vec3::Zero());
  scene.pins.push_back({0, 1, {-500.0, 0.0}, {-500.0, 0.0}});
  scene.pins.push_back({0, 1, {500.0, 0.0}, {500.0, 0.0}});
  scene.laws.push_back({0, 1, 0.0, false, std::nullopt});
  PlanarStep step;
  make_stepper(kind, {})->step(scene, start_state(scene), 0.01, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  CHECK(step.end.nu.norm() < 1e-6);
  CHECK(step.pin_impulses[0].y() + step.pin_impulses[1].y() == Approx(-98.1));
}

TEST_CASE("A scene in which nothing moves stays as it is", "[steppers]") {
  PlanarScene scene;
  scene.start_velocity.resize(0);
  scene.bodies.push_back(testing::table_body());
  PlanarStep step;
  make_stepper(any_stepper(), {})->step(scene, start_state(scene), 0.01, step);
  CHECK(step.status == mcp::Status::kSolved);
  CHECK(step.end.poses[0] == Vec3::Zero());
}

TEST_CASE("A hanging chain falls onto the table link by link", "[steppers]") {
  // All but Stewart and Trinkle's single linearisation, whose impulses explode in its whip.
  const StepperKind kind = any_stepper();
  if (kind == StepperKind::kStewartTrinkle) return;
  CAPTURE(name(kind));
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies.push_back(testing::table_body());
  scene.bodies[0].pose.y() = -400.0;
  scene.bodies.push_back(testing::fixed_body("hook", Superellipse{1.0, 1.0, 2.0}, Vec3::Zero()));
  for (int i = 0; i < 6; ++i) {
    testing::add_free_body(scene, rod(90.0, 5.0), 0.1, 1e3 / 12.0, {50.0 + 100.0 * i, 0.0, 0.0},
                           Vec3::Zero());
    scene.pins.push_back({i + 1, i + 2, {i == 0 ? 0.0 : 50.0, 0.0}, {-50.0, 0.0}});
    scene.laws.push_back({i + 1, i + 2, 0.0, false, std::nullopt});
  }
  const auto stepper = make_stepper(kind, {});
  double drift_mm = 0.0;
  double largest_j = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    for (const PinJoint& pin : scene.pins) {
      const Vec3& a = state.poses[static_cast<std::size_t>(pin.body_a)];
      const Vec3& b = state.poses[static_cast<std::size_t>(pin.body_b)];
      const Vec2 apart = transform({a.head<2>(), a.z()}, pin.point_a_mm) -
                         transform({b.head<2>(), b.z()}, pin.point_b_mm);
      testing::keep_largest(drift_mm, apart.norm());
    }
    testing::keep_largest(largest_j, energy(scene, state).total_j());
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {0.002, 1.0, 2}, observe);
  CHECK(!run.failure);
  CHECK(largest_j < 0.01);  // it starts from zero
  if (kind == StepperKind::kImplicit || kind == StepperKind::kStewartTrinkleNonlinear) {
    CHECK(drift_mm < 1e-7);
    CHECK(run.totals.worst_overlap_mm < 1e-8);
  } else {
    CHECK(drift_mm < (holds_gaps(kind) ? 1.0 : 10.0));
  }
}

TEST_CASE("The same step gives the same bits", "[steppers]") {
  const StepperKind kind = any_stepper();
  CAPTURE(name(kind));
  const PlanarScene scene = testing::disc_stack(3);
  const auto stepper = make_stepper(kind, {});
  PlanarStep first;
  PlanarStep other;
  PlanarStep second;
  stepper->step(scene, start_state(scene), 0.02, first);
  stepper->step(scene, first.end, 0.03, other);
  stepper->step(scene, start_state(scene), 0.02, second);
  CHECK(first.end.nu == second.end.nu);
  CHECK(first.residual == second.residual);
}

}  // namespace
}  // namespace graspmap
