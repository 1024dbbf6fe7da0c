#include "sim/closing/condensed_stepper.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kMu = 0.4;
constexpr double kGravity = 9810.0;
constexpr double kRadius = 20.75;

/// A disc with jaws so far away that only the support acts on it.
Scenario alone(const SupportModel& support) {
  Scenario scenario = disc_scenario(kRadius);
  scenario.support = support;
  scenario.gripper.opening_mm = 1e5;
  return scenario;
}

/// Steps until the part rests, at most `most` times; returns the states after each step.
std::vector<State> slide(const Scenario& scenario, const Vec3& velocity, double h, int most) {
  TrialParameters trial;
  trial.mu_support = kMu;
  CondensedStepper stepper;
  stepper.begin(scenario, trial);
  State state = initial_state(scenario, trial);
  state.part_velocity = velocity;
  std::vector<State> states;
  while (static_cast<int>(states.size()) < most && state.part_velocity.norm() > 1e-6) {
    REQUIRE(stepper.try_step(state, h, true).converged);
    state = stepper.accept();
    states.push_back(state);
  }
  return states;
}

double angular(const State& state) { return state.part_velocity[2]; }

}  // namespace

TEST_CASE("a part that slides without turning slows down by mu g and stops") {
  const Vec3 v0(300.0, -400.0, 0.0);
  const double speed = 500.0;
  const double expected = speed * speed / (2.0 * kMu * kGravity);
  for (const SupportModel& support :
       {SupportModel(EllipsoidSupport{1.0, 1.0, 13.8}), SupportModel(tripod(13.8))}) {
    double last_error = 0.0;
    for (const double h : {0.002, 0.001, 0.0005}) {
      const std::vector<State> states = slide(alone(support), v0, h, 1000);
      const State& first = states.front();
      CHECK(first.part_velocity.norm() == within(speed - h * kMu * kGravity, 1e-4));
      CHECK(first.part_velocity[0] / first.part_velocity[1] == Approx(-0.75).epsilon(1e-6));
      const State& end = states.back();
      CHECK(end.part_velocity.norm() <= 1e-6);
      const double error = end.part_pose.head<2>().norm() - expected;
      CHECK(std::abs(error) <= 0.51 * h * speed);  // the first order of the implicit Euler step
      if (last_error != 0.0) CHECK(error / last_error == within(0.5, 0.05));
      last_error = error;
    }
  }
}

TEST_CASE("a part that turns on the ellipsoid is stopped by e_r mu m g") {
  const double e_r = 13.8;
  const Scenario scenario = alone(EllipsoidSupport{1.0, 1.0, e_r});
  const double slowing =
      e_r * kMu * scenario.mass.mass_kg * kGravity / scenario.mass.inertia_kg_mm2;
  const double h = 0.001;
  const std::vector<State> states = slide(scenario, {0.0, 0.0, 20.0}, h, 1000);
  for (std::size_t k = 0; k + 1 < states.size(); ++k) {
    const double expected = 20.0 - slowing * h * static_cast<double>(k + 1);
    CHECK(angular(states[k]) == within(expected, 1e-5));
    CHECK(states[k].part_velocity.head<2>().norm() < 1e-5);
  }
  CHECK(std::abs(static_cast<double>(states.size()) - 20.0 / (slowing * h)) <= 1.0);
}

TEST_CASE("a part that turns on a tripod is stopped by three points at their radius") {
  const double radius = 11.0;
  const Scenario scenario = alone(tripod(radius));
  const double moment = 3.0 * (scenario.mass.mass_kg * kGravity / 3.0) * radius * kMu;
  const double slowing = moment / scenario.mass.inertia_kg_mm2;
  const double h = 0.001;
  const std::vector<State> states = slide(scenario, {0.0, 0.0, -20.0}, h, 1000);
  for (std::size_t k = 0; k + 1 < states.size(); ++k) {
    const double expected = -20.0 + slowing * h * static_cast<double>(k + 1);
    CHECK(angular(states[k]) == within(expected, 1e-5));
    CHECK(states[k].part_velocity.head<2>().norm() < 1e-4);
  }
  CHECK(std::abs(static_cast<double>(states.size()) - 20.0 / (slowing * h)) <= 1.0);
}

TEST_CASE("translation and rotation share the ellipsoid: both stop together") {
  const double e_r = 13.8;
  // With r^2 = e_r^2 the scaled velocity (v, e_r w) keeps its direction until rest.
  Scenario scenario = alone(EllipsoidSupport{1.0, 1.0, e_r});
  scenario.mass.inertia_kg_mm2 = scenario.mass.mass_kg * e_r * e_r;
  const Vec3 v0(100.0, 0.0, 100.0 / e_r);
  const std::vector<State> states = slide(scenario, v0, 0.001, 1000);
  const double slowing = kMu * kGravity * 0.001 / std::sqrt(2.0);
  for (std::size_t k = 0; k + 1 < states.size(); ++k) {
    const double expected = 100.0 - slowing * static_cast<double>(k + 1);
    CHECK(states[k].part_velocity[0] == within(expected, 1e-4));
    CHECK(e_r * angular(states[k]) == within(expected, 1e-4));
  }
}

TEST_CASE("a part at rest stays at rest, and without friction it keeps its velocity") {
  TrialParameters trial;
  const Scenario scenario = alone(EllipsoidSupport{1.0, 1.0, 13.8});
  for (const double mu : {0.0, 0.4}) {
    trial.mu_support = mu;
    CondensedStepper stepper;
    stepper.begin(scenario, trial);
    State state = initial_state(scenario, trial);
    if (mu == 0.0) state.part_velocity = {30.0, -40.0, 2.0};
    const Vec3 before = state.part_velocity;
    REQUIRE(stepper.try_step(state, 0.002, true).converged);
    state = stepper.accept();
    CHECK((state.part_velocity - before).norm() < 1e-5);
  }
}

TEST_CASE("the jaws' free closing is the closing law's implicit step") {
  const Scenario scenario = alone(EllipsoidSupport{1.0, 1.0, 13.8});
  TrialParameters trial;
  for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
    Scenario coupled = scenario;
    coupled.gripper.coupling = coupling;
    CondensedStepper stepper;
    stepper.begin(coupled, trial);
    State state = initial_state(coupled, trial);
    const double h = 0.002;
    REQUIRE(stepper.try_step(state, h, true).converged);
    state = stepper.accept();
    const double m = 0.2;
    const double speed = h * 10000.0 / (m + h * 10000.0 / 50.0);
    CHECK(state.jaw_right_mm_s == Approx(-speed).epsilon(1e-6));
    CHECK(state.jaw_left_mm_s == Approx(speed).epsilon(1e-6));
  }
}
