#include <catch2/catch.hpp>
#include <cmath>

#include "lab/articulated/simulate_articulated.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr std::array kAllIntegrators{
    ArticulatedIntegrator::kSemiImplicitEuler, ArticulatedIntegrator::kMoreauMidpoint,
    ArticulatedIntegrator::kImplicitEuler, ArticulatedIntegrator::kImplicitMoreau};

/// The state after some steps; each must be solved.
ArticulatedState after(const ArticulatedSystem& system, ArticulatedIntegrator integrator, double h,
                       int steps) {
  ArticulatedSettings settings;
  settings.integrator = integrator;
  ArticulatedStepper stepper(system, settings);
  ArticulatedState state = start_state(system);
  ArticulatedStep step;
  for (int i = 0; i < steps; ++i) {
    stepper.step(state, h, step);
    REQUIRE(step.status == mcp::Status::kSolved);
    state = step.end;
  }
  return state;
}

/// Two bars in space on ball joints, which swing and spin.
ArticulatedSystem swinging_bars() {
  ArticulatedSystem system = pendulum_chain(2, 0.0);
  system.obstacles.clear();
  for (Link& link : system.links) {
    link.joint.kind = JointKind::kBall;
    link.inertia_kg_mm2 = Vec3(1e5, 2e5, 0.4e5).asDiagonal();
    link.position.resize(4);
    link.position << 0.8, 0.6, 0.0, 0.0;
    link.velocity.resize(3);
    link.velocity << 1.0, -2.0, 3.0;
  }
  return system;
}

/// The order of an integrator by its errors at two step sizes.
double order_of(const ArticulatedSystem& system, ArticulatedIntegrator integrator,
                const ArticulatedState& exact, double time_s) {
  const auto error = [&](int steps) {
    const ArticulatedState end = after(system, integrator, time_s / steps, steps);
    return (end.q - exact.q).norm() + 0.1 * (end.nu - exact.nu).norm();
  };
  return std::log2(error(400) / error(800));
}

}  // namespace

TEST_CASE("the implicit Euler scheme is of first order, Moreau's implicit one of second") {
  const ArticulatedSystem system = swinging_bars();
  constexpr double kTime_s = 0.4;
  const ArticulatedState exact = after(system, ArticulatedIntegrator::kImplicitMoreau, 1e-4, 4000);
  const auto order = [&](ArticulatedIntegrator integrator) {
    return order_of(system, integrator, exact, kTime_s);
  };
  CHECK(order(ArticulatedIntegrator::kSemiImplicitEuler) == Approx(1.0).margin(0.1));
  CHECK(order(ArticulatedIntegrator::kMoreauMidpoint) == Approx(1.0).margin(0.1));
  CHECK(order(ArticulatedIntegrator::kImplicitEuler) == Approx(1.0).margin(0.1));
  CHECK(order(ArticulatedIntegrator::kImplicitMoreau) == Approx(2.0).margin(0.1));
}

TEST_CASE("the implicit Moreau scheme gives a pin exactly the midpoint rule's step") {
  ArticulatedSystem system = pendulum_chain(1, 3.0);
  system.obstacles.clear();
  const double h = 0.02;
  const double stiffness = 9810.0 * 1000.0 / (1e6 + 0.4 * 250.0 * 250.0);
  const double q = -0.25 * M_PI;
  double nu = 3.0;
  for (int i = 0; i < 200; ++i) nu = 3.0 - h * stiffness * std::sin(q + 0.25 * h * (3.0 + nu));
  const ArticulatedState end = after(system, ArticulatedIntegrator::kImplicitMoreau, h, 1);
  CHECK(end.nu[0] == Approx(nu).epsilon(1e-9));
  CHECK(end.q[0] == Approx(q + 0.5 * h * (3.0 + nu)).epsilon(1e-9));
  double last = 3.0;
  for (int i = 0; i < 200; ++i) last = 3.0 - h * stiffness * std::sin(q + h * last);
  const ArticulatedState euler = after(system, ArticulatedIntegrator::kImplicitEuler, h, 1);
  CHECK(euler.nu[0] == Approx(last).epsilon(1e-9));
  CHECK(euler.q[0] == Approx(q + h * last).epsilon(1e-9));
}

TEST_CASE("an implicit step that does not converge says so") {
  ArticulatedSettings settings;
  settings.integrator = ArticulatedIntegrator::kImplicitEuler;
  settings.implicit_iterations = 1;
  const ArticulatedSystem system = swinging_bars();
  ArticulatedStepper stepper(system, settings);
  ArticulatedStep step;
  stepper.step(start_state(system), 0.01, step);
  CHECK(step.status == mcp::Status::kIterationLimit);
}

TEST_CASE("a sphere slides and then rolls by every integrator") {
  for (const ArticulatedIntegrator integrator : kAllIntegrators) {
    CAPTURE(name(integrator));
    const ArticulatedState end = after(sliding_sphere(), integrator, 1e-3, 400);
    CHECK(end.nu[0] == Approx(2000.0 * 5.0 / 7.0).epsilon(1e-9));
    CHECK(end.nu[4] == Approx(2.0 * 5.0 / 7.0).epsilon(1e-9));
    REQUIRE(end.contacts.size() == 1);
    CHECK(end.contacts[0].p_n == Approx(9.81));
  }
}

TEST_CASE("Moreau's scheme sends a bob on a pin back exactly as fast as it came") {
  // Without gravity and friction, e = 1: the rows before and after the impact are half a step away
  // from where J is taken, on both sides, and the two half steps cancel.
  ArticulatedSystem system = pendulum_chain(1, 5.0);
  system.gravity_mm_s2.setZero();
  system.mu = 0.0;
  system.restitution = 1.0;
  system.links[0].position[0] = 0.3;
  system.obstacles = {{"wall", {0.0, 750.0, 0.0}, -Vec3::UnitY()}};  // met at 30 degrees
  const ArticulatedState end = after(system, ArticulatedIntegrator::kMoreauMidpoint, 1e-3, 60);
  CHECK(end.nu[0] == Approx(-5.0).epsilon(1e-9));
}

TEST_CASE("a contact that stays closed has no normal velocity at the end of a step, to h^2") {
  // The end of a chain of two slides along the floor while the links turn: J nu changes by its
  // links' turning, and half of that is still to come from the middle of a step to its end.
  ArticulatedSystem system = pendulum_chain(2, 0.0);
  system.mu = 0.0;
  system.restitution = 0.0;
  constexpr double kUpper = -0.8;
  constexpr double kLower = 0.5;
  system.links[0].position[0] = kUpper;
  system.links[1].position[0] = kLower - kUpper;
  const double rate = std::sin(kUpper) / std::sin(kLower);  // of the lower link for -1 of the upper
  system.links[0].velocity[0] = -1.0;
  system.links[1].velocity[0] = rate + 1.0;
  const double height_mm = 1000.0 * (std::cos(kUpper) + std::cos(kLower)) + 250.0;
  system.obstacles = {{"floor", {0.0, 0.0, -height_mm}, Vec3::UnitZ()}};
  const auto normal_speed = [&](ArticulatedIntegrator integrator, double h) {
    const ArticulatedState end =
        after(system, integrator, h, static_cast<int>(std::lround(0.05 / h)));
    REQUIRE(end.contacts.size() == 1);
    CHECK(end.contacts[0].p_n > 0.0);
    const CoordinateLayout layout = coordinate_layout(system);
    std::vector<LinkKinematics> links;
    place_links(system, layout, end.q, links);
    move_links(system, layout, end.nu, links);
    const Vec3 arm = links[1].arm(system.links[1].centre_of_mass_mm);
    return std::abs(velocity_at(links[1].velocity, arm).z());
  };
  for (const ArticulatedIntegrator integrator : kAllIntegrators) {
    const double coarse = normal_speed(integrator, 0.005);
    const double fine = normal_speed(integrator, 0.0025);
    CAPTURE(name(integrator), coarse, fine);
    CHECK(coarse < 1.0);  // mm/s; the turning alone makes 0.0025 s * 2700 mm/s^2 = 7 mm/s
    const bool is_of_second_order = fine < 0.3 * coarse;
    CHECK((is_of_second_order || coarse < 1e-4));
  }
}
