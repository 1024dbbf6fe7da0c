/// Quasi-rigid contacts with whole stiffness and damping, Chakraborty et al. 2014, eq. (33)-(40),
/// against closed forms, in the plane and in space.

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/support/keep_largest.hpp"
#include "tests/support/soft_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

struct Runner {
  const char* name;
  std::function<SoftSamples(const SoftCase&)> run;
};

std::vector<Runner> runners() {
  return {{"plane, implicit", [](const SoftCase& of) { return run_plane(of); }},
          {"space, implicit", [](const SoftCase& of) { return run_space(of); }},
          {"space, implicit-full",
           [](const SoftCase& of) { return run_space(of, SpatialStepperKind::kImplicitFull); }}};
}

SoftSamples run_all(const Runner& runner, const SoftCase& of) {
  SoftSamples samples = runner.run(of);
  REQUIRE(samples.size() == static_cast<std::size_t>(of.steps));
  return samples;
}

/// The largest difference of two runs' motions, in mm, mm/s and rad/s.
double difference(const SoftSamples& a, const SoftSamples& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    keep_largest(worst, (a[i].position - b[i].position).lpNorm<Eigen::Infinity>());
    keep_largest(worst, (a[i].velocity - b[i].velocity).lpNorm<Eigen::Infinity>());
  }
  return worst;
}

}  // namespace

TEST_CASE("A body stuck on a tangential spring swings as an oscillator") {
  // A block swings with its mass m; a disc or sphere, which also turns, with 1 / (1/m + r^2/I).
  for (const Runner& runner : runners()) {
    for (const bool is_block : {true, false}) {
      INFO(runner.name << (is_block ? ", block" : ", round"));
      constexpr double kStiffness = 2000.0;
      constexpr double kDamping = 3.0;
      SoftCase of;
      of.is_block = is_block;
      of.layers = {diagonal_layer(5e4, kStiffness, 0.0, kDamping, 5.0), std::nullopt};
      of.height_mm = 20.0 - of.mass_kg * of.gravity_mm_s2 / 5e4;  // at rest along the normal
      of.velocity = {10.0, 0.0, 0.0};
      of.step_s = 4e-4;
      of.steps = 500;
      const double m = is_block ? of.mass_kg : 1.0 / (1.0 / of.mass_kg + 400.0 / of.inertia_kg_mm2);
      const SoftSamples samples = run_all(runner, of);
      double x = 0.0;  // of the body's lowest point
      double v = of.velocity[0];
      double worst = 0.0;
      std::vector<double> crossings_s;
      std::vector<double> peaks;
      double peak = 0.0;
      double before = 1.0;
      for (const SoftSample& sample : samples) {
        // m (v' - v) = -h k x' - c (x' - x), x' = x + h v'
        if (&sample != &samples.front()) {
          const double h = of.step_s;
          v = (m * v - h * kStiffness * x) / (m + h * h * kStiffness + h * kDamping);
          x += h * v;
        } else {
          // The damper of a new layer is at rest along the normal only after the first step.
          v = sample.velocity[0] + (is_block ? 0.0 : 20.0 * sample.velocity[2]);
          x = of.step_s * v;
        }
        const double speed = sample.velocity[0] + (is_block ? 0.0 : 20.0 * sample.velocity[2]);
        keep_largest(worst, std::abs(speed - v));
        if (before * x <= 0.0) {
          crossings_s.push_back(sample.time_s);
          peaks.push_back(peak);
          peak = 0.0;
        }
        keep_largest(peak, std::abs(x));
        before = x;
      }
      CHECK(worst < 1e-6);
      REQUIRE(crossings_s.size() > 3);
      const double omega = std::sqrt(kStiffness / m);
      const double ratio = 0.5 * kDamping / std::sqrt(kStiffness * m);
      const double half_s =
          (crossings_s.back() - crossings_s.front()) / static_cast<double>(crossings_s.size() - 1);
      CHECK(half_s ==
            Approx(std::numbers::pi / (omega * std::sqrt(1.0 - ratio * ratio))).epsilon(0.01));
      // backward Euler adds omega h / 2 to the damping ratio
      const double total = ratio + 0.5 * omega * of.step_s;
      CHECK(peaks[2] / peaks[1] ==
            Approx(std::exp(-std::numbers::pi * total / std::sqrt(1.0 - total * total)))
                .epsilon(0.02));
    }
  }
}

TEST_CASE("A block on a tangential spring slides as a whole from mu p_n on") {
  for (const Runner& runner : runners()) {
    for (const double part : {0.98, 1.02}) {
      INFO(runner.name << ", " << part << " mu m g");
      SoftCase of;
      of.is_block = true;
      of.mu = 0.4;
      const double weight = of.mass_kg * of.gravity_mm_s2;
      of.force_x_mn = part * of.mu * weight;
      constexpr double kStiffness = 2000.0;
      // A slow layer: its force exceeds the drive's by m times the deceleration, 0.3 %.
      of.layers = {diagonal_layer(5e4, kStiffness, 0.0, 600.0, 5.0), std::nullopt};
      of.height_mm = 20.0 - weight / 5e4;
      of.step_s = 2e-2;
      of.steps = 250;
      const SoftSamples samples = run_all(runner, of);
      const SoftSample& end = samples.back();
      if (part < 1.0) {
        CHECK(end.position[0] == Approx(of.force_x_mn / kStiffness).epsilon(1e-6));
        CHECK(std::abs(end.p_t) == Approx(of.step_s * of.force_x_mn).epsilon(1e-6));
        CHECK(std::abs(end.slip_mm_s) < 1e-9);
      } else {
        const SoftSample& earlier = samples[samples.size() - 101];
        CHECK((end.velocity[0] - earlier.velocity[0]) / (end.time_s - earlier.time_s) ==
              Approx((part - 1.0) * of.mu * of.gravity_mm_s2).epsilon(1e-6));
        CHECK(std::abs(end.p_t) == Approx(of.mu * end.p_n).epsilon(1e-9));
        // the layer stands still below, so the surfaces slip as fast as the body moves
        CHECK(std::abs(end.slip_mm_s) == Approx(end.velocity[0]).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("A coupled layer shifts sideways under a normal force") {
  // K delta = (m g, 0, 0)
  Eigen::Matrix3d K;
  K << 2000.0, 700.0, 0.0, 700.0, 1500.0, 0.0, 0.0, 0.0, 1800.0;
  SoftCase of;
  of.is_block = true;
  of.step_s = 4e-3;
  of.steps = 300;
  for (const Runner& runner : runners()) {
    for (const bool of_body : {false, true}) {
      INFO(runner.name << (of_body ? ", of the body" : ", of the ground"));
      const SoftLayer layer = whole_layer(K, 0.05 * K, 50.0);
      of.layers = {};
      of.layers[of_body ? 1 : 0] = layer;
      const Vec3 delta = K.inverse() * Vec3(of.mass_kg * of.gravity_mm_s2, 0.0, 0.0);
      const SoftSample end = run_all(runner, of).back();
      // with A the ground, t is along x, and A's surface goes with the body
      CHECK(end.position[0] == Approx(delta[1]).epsilon(1e-7));
      CHECK(end.position[1] == Approx(20.0 - delta[0]).epsilon(1e-7));
      CHECK((end.deflections[of_body ? 1 : 0] - delta).norm() < 1e-6);
    }
  }
  K << 2000.0, 700.0, -300.0, 700.0, 1500.0, 400.0, -300.0, 400.0, 1800.0;
  of.layers = {whole_layer(K, 0.05 * K, 50.0), std::nullopt};
  const Vec3 delta = K.inverse() * Vec3(of.mass_kg * of.gravity_mm_s2, 0.0, 0.0);
  const SoftSample end = run_space(of).back();
  CHECK(end.position[0] == Approx(delta[1]).epsilon(1e-7));
  CHECK(end.y_mm == Approx(-delta[2]).epsilon(1e-7));  // o = n x t is along -y
  CHECK(end.position[1] == Approx(20.0 - delta[0]).epsilon(1e-7));
}

TEST_CASE("Two soft bodies are two springs in series, each with its own stop") {
  constexpr double kGround = 1000.0;
  constexpr double kBody = 3000.0;
  constexpr double kGroundStop = 3.0;
  constexpr double kBodyStop = 2.0;
  for (const Runner& runner : runners()) {
    for (const bool is_block : {true, false}) {
      for (const double weight : {2000.0, 4500.0, 9000.0}) {  // no stop, the ground's, both
        if (is_block && weight != 4500.0) continue;
        INFO(runner.name << (is_block ? ", block, " : ", round, ") << weight << " mN");
        SoftCase of;
        of.is_block = is_block;
        of.gravity_mm_s2 = weight / of.mass_kg;
        of.layers = {normal_layer(kGround, 20.0, kGroundStop),
                     normal_layer(kBody, 60.0, kBodyStop)};
        of.step_s = 1e-2;
        of.steps = 200;
        const SoftSample end = run_all(runner, of).back();
        const double in_ground = std::min(weight / kGround, kGroundStop);
        const double in_body = std::min(weight / kBody, kBodyStop);
        CHECK(end.position[1] == Approx(20.0 - in_ground - in_body).epsilon(1e-9));
        CHECK(end.deflections[0][0] == Approx(in_ground).epsilon(1e-8));
        CHECK(end.deflections[1][0] == Approx(in_body).epsilon(1e-8));
        CHECK(end.p_core == Approx(of.step_s * std::max({0.0, weight - kGround * kGroundStop,
                                                         weight - kBody * kBodyStop}))
                                .margin(1e-6));
      }
    }
  }
}

TEST_CASE("Two tangential springs in series add their compliances") {
  for (const Runner& runner : runners()) {
    INFO(runner.name);
    SoftCase of;
    of.is_block = true;
    of.force_x_mn = 1000.0;
    of.layers = {diagonal_layer(5e4, 2000.0, 400.0, 100.0, 5.0),
                 diagonal_layer(5e4, 500.0, 400.0, 100.0, 5.0)};
    of.step_s = 1e-2;
    of.steps = 400;
    CHECK(run_all(runner, of).back().position[0] ==
          Approx(1000.0 / 2000.0 + 1000.0 / 500.0).epsilon(1e-6));
  }
}

TEST_CASE("A soft ball thrown on soft ground moves in the plane as in space") {
  SoftCase of;
  of.mu = 0.3;
  of.velocity = {800.0, -600.0, -15.0};
  of.height_mm = 22.0;
  of.layers = {diagonal_layer(3000.0, 1500.0, 2.0, 1.0, 4.0),
               diagonal_layer(2000.0, 800.0, 0.5, 3.0, 2.5)};
  of.steps = 300;
  const SoftSamples plane = run_plane(of);
  CHECK(difference(plane, run_plane(of, StepperKind::kImplicitFull)) == 0.0);
  const SoftSamples space = run_space(of);
  CHECK(difference(plane, space) < 1e-6);
  CHECK(difference(space, run_space(of, SpatialStepperKind::kImplicitFull)) < 1e-6);
  bool slips = false;
  bool sticks = false;
  bool hits_core = false;
  double before = 1e9;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const SoftSample& at = space[i];
    CHECK(at.energy_j <= before + 1e-12);
    before = at.energy_j;
    CHECK(plane[i].energy_j == Approx(at.energy_j).margin(1e-9));
    CHECK((plane[i].deflections[1] - at.deflections[1]).norm() < 1e-6);
    hits_core = hits_core || at.p_core > 0.0;
    if (at.p_n <= 0.0) continue;
    const bool on_cone = std::abs(at.p_t) > (1.0 - 1e-9) * of.mu * at.p_n;
    slips = slips || on_cone;
    sticks = sticks || !on_cone;
  }
  CHECK(slips);
  CHECK(sticks);
  CHECK(hits_core);
}

TEST_CASE("A layer without a damper loses energy by Euler's steps only, a damper takes more") {
  for (const Runner& runner : runners()) {
    INFO(runner.name);
    const auto lost = [&](double damping, double step_s) {
      SoftCase of;
      of.height_mm = 30.0;
      of.step_s = step_s;
      of.steps = static_cast<int>(std::lround(0.08 / step_s));  // falls, and is thrown up again
      of.layers = {diagonal_layer(3000.0, 1500.0, damping, damping, 40.0), std::nullopt};
      const SoftSamples samples = run_all(runner, of);
      CHECK(samples.back().velocity[1] > 300.0);
      return samples.front().energy_j - samples.back().energy_j;
    };
    const double without = lost(0.0, 2e-4);
    CHECK(without > 0.0);
    CHECK(without == Approx(2.0 * lost(0.0, 1e-4)).epsilon(0.05));
    CHECK(lost(2.0, 2e-4) > 2.0 * without);
  }
}

TEST_CASE("Layers that are stiff are rigid bodies") {
  for (const Runner& runner : runners()) {
    for (const bool is_block : {true, false}) {
      INFO(runner.name << (is_block ? ", block" : ", round"));
      SoftCase of;
      of.is_block = is_block;
      of.mu = 0.3;
      of.velocity = {300.0, -50.0, 0.0};
      of.steps = 80;
      const SoftSamples rigid = run_all(runner, of);
      double before = 1e9;
      for (const double stiffness : {1e7, 1e9, 1e11}) {
        of.layers = {diagonal_layer(stiffness, stiffness, 0.0, 0.0, 5.0),
                     normal_layer(stiffness, 0.0, 5.0)};
        const double now = difference(run_all(runner, of), rigid);
        CHECK(now < 0.02 * before);
        before = now;
      }
      CHECK(before < 1e-3);
      // and so are layers whose cores stand right behind their surfaces
      of.layers = {diagonal_layer(10.0, 1e11, 0.0, 0.0, 1e-7), std::nullopt};
      CHECK(difference(run_all(runner, of), rigid) < 1e-3);
    }
  }
}

TEST_CASE("Two soft balls in collision keep their momenta") {
  SpatialScene scene;
  scene.gravity_mm_s2.setZero();
  scene.bodies = {uniform("one", Sphere{20.0}, 0.3, {0.0, 0.0, 0.0}),
                  uniform("other", Sphere{30.0}, 0.5, {48.0, 14.0, 6.0})};
  scene.bodies[0].velocity = twist({600.0, 100.0, -50.0}, {3.0, 20.0, -10.0});
  Eigen::Matrix3d K;
  K << 2000.0, 300.0, -200.0, 300.0, 1500.0, 100.0, -200.0, 100.0, 900.0;
  scene.laws.push_back({0,
                        1,
                        {0.5, 1.0, 0.8, 5.0},
                        true,
                        {whole_layer(K, 1e-3 * K, 4.0), whole_layer(2.0 * K, 5e-4 * K, 3.0)}});
  const auto momenta = [&](const SpatialState& state) {
    Twist sum = Twist::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const SpatialBody& body = scene.bodies[i];
      const Vec3 p = body.mass_kg * state.velocities[i].head<3>();
      sum.head<3>() += p;
      sum.tail<3>() += inertia_in_world(body, state.poses[i]) * state.velocities[i].tail<3>() +
                       state.poses[i].position_mm.cross(p);
    }
    return sum;
  };
  for (const auto kind : {SpatialStepperKind::kImplicit, SpatialStepperKind::kImplicitFull}) {
    INFO(name(kind));
    const auto stepper = make_spatial_stepper(kind, {});
    SpatialState state = start_state(scene);
    Twist expected = momenta(state);
    SpatialStep step;
    double energy_j = energy(scene, state).total_j();
    bool has_touched = false;
    for (int i = 0; i < 200; ++i) {
      stepper->step(scene, state, 5e-4, step);
      REQUIRE(step.status == mcp::Status::kSolved);
      state = step.end;
      // The impulse acts at the end of the step, where the bodies have moved on:
      // sum (x' - x) x p' of the old momenta is h sum v' x (p' - P) = -h (v_A' - v_B') x P.
      for (const SpatialContact& c : state.contacts) {
        const Vec3 P = c.p_n * c.normal + c.p_t * c.t + c.p_o * c.o;
        const Vec3 v = state.velocities[0].head<3>() - state.velocities[1].head<3>();
        expected.tail<3>() -= 5e-4 * v.cross(P);
      }
      const double now_j = energy(scene, state).total_j();
      CHECK(now_j <= energy_j + 1e-9);
      energy_j = now_j;
      has_touched = has_touched || state.contacts[0].p_n > 0.0;
      if (state.contacts.empty()) break;
    }
    CHECK(has_touched);
    CHECK((momenta(state) - expected).lpNorm<Eigen::Infinity>() < 1e-5);
  }
}

TEST_CASE("Two soft discs in collision keep their momenta") {
  PlanarScene scene;
  scene.gravity_mm_s2.setZero();
  add_free_body(scene, Superellipse{20.0, 20.0, 2.0}, 0.3, 60.0, {0.0, 0.0, 0.0},
                {600.0, 100.0, 20.0});
  add_free_body(scene, Superellipse{30.0, 30.0, 2.0}, 0.5, 200.0, {48.0, 14.0, 0.0},
                {0.0, 0.0, -5.0});
  scene.laws.push_back({0,
                        1,
                        0.5,
                        true,
                        std::nullopt,
                        {diagonal_layer(2000.0, 1500.0, 2.0, 1.0, 4.0),
                         diagonal_layer(3000.0, 900.0, 1.0, 0.5, 3.0)}});
  const auto momenta = [&](const PlanarState& state) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 2; ++i) {
      const PlanarBody& body = scene.bodies[static_cast<std::size_t>(i)];
      const Vec2 p = body.mass_kg * state.nu.segment<2>(3 * i);
      sum.head<2>() += p;
      sum[2] += body.inertia_kg_mm2 * state.nu[3 * i + 2] +
                cross(state.poses[static_cast<std::size_t>(i)].head<2>(), p);
    }
    return sum;
  };
  const auto stepper = make_stepper(StepperKind::kImplicit, {});
  PlanarState state = start_state(scene);
  Vec3 expected = momenta(state);
  PlanarStep step;
  double friction = 0.0;
  for (int i = 0; i < 200; ++i) {
    stepper->step(scene, state, 5e-4, step);
    REQUIRE(step.status == mcp::Status::kSolved);
    state = step.end;
    for (const PlanarContact& c : step.contacts) {  // as for two balls
      const Vec2 P = c.p_n * c.at.normal + c.p_t * perp(c.at.normal);
      expected[2] -= 5e-4 * cross(state.nu.head<2>() - state.nu.segment<2>(3), P);
      friction += std::abs(c.p_t);
    }
  }
  CHECK(friction > 1.0);
  CHECK((momenta(state) - expected).lpNorm<Eigen::Infinity>() < 1e-5);
}

TEST_CASE("A disc bounces on a damped layer as its law says, under every stepper") {
  // m (v' - v) = -h m g + p, p = h k d' + c (d' - d) while it is positive, d' = d - h v'
  for (const StepperKind kind :
       {StepperKind::kImplicit, StepperKind::kImplicitFull, StepperKind::kStewartTrinkle,
        StepperKind::kStewartTrinkleNonlinear, StepperKind::kAnitescuPotra,
        StepperKind::kAnitescuHart, StepperKind::kAnitescuHartConvex}) {
    INFO(name(kind));
    SoftCase of;
    of.velocity = {0.0, -200.0, 0.0};
    of.mu = 0.0;
    of.steps = 60;
    PlanarScene scene = planar_soft_scene(of);
    constexpr double kStiffness = 3000.0;
    constexpr double kDamping = 20.0;
    scene.laws[0].soft = SoftLayer{kStiffness, kDamping, 50.0};
    const auto stepper = make_stepper(kind, {});
    PlanarState state = start_state(scene);
    PlanarStep step;
    double delta = 0.0;
    double v = of.velocity[1];
    const double h = of.step_s;
    const double m = of.mass_kg;
    for (int i = 0; i < of.steps; ++i) {
      stepper->step(scene, state, h, step);
      REQUIRE(step.status == mcp::Status::kSolved);
      state = step.end;
      v = (m * v - h * m * of.gravity_mm_s2 + h * kStiffness * delta) /
          (m + h * h * kStiffness + h * kDamping);
      const double next = delta - h * v;
      const double p = h * kStiffness * next + kDamping * (next - delta);
      if (p <= 0.0) break;
      delta = next;
      CHECK(state.nu[1] == Approx(v).margin(1e-6));
      CHECK(20.0 - state.poses[1].y() == Approx(delta).margin(1e-6));
    }
    CHECK(v > 30.0);  // it has bounced
  }
}
