/// A gripper that gives way on the robot's arm (Mount): closed forms, limits, and what holds for
/// every trial.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/tolerances.hpp"
#include "tests/support/drawn_scenes.hpp"
#include "tests/support/mirror_image.hpp"
#include "tests/support/random_mount.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/trial_energy.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// A part that friction on the table holds whatever pushes.
Scenario stuck(Scenario scenario, const Mount& mount, int order) {
  scenario.mass = {1000.0, {0.0, 0.0}, 1e5};
  scenario.gripper.mount = mount;
  if (order == 2) scenario = of_second_order(scenario, 0.001);
  scenario.stop.stopped_speed_mm_s = 1e-4;
  return scenario;
}

}  // namespace

TEST_CASE("a part off the middle moves the gripper by force over stiffness") {
  // Both jaws of 10 N press the one that has met the part, or one does.
  for (const int order : {1, 2}) {
    for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kRightMoves}) {
      Scenario scenario = stuck(disc_scenario(15.0), {20.0, kRigid, 0.01}, order);
      scenario.gripper.coupling = coupling;
      const SimulationResult result = run(scenario, placed_at(-4.0, 5.0, 0.0, 5.0));
      REQUIRE(result.end == EndReason::kStopped);
      const State& end = result.final_state;
      const double force_n = coupling == Coupling::kSymmetric ? 20.0 : 10.0;
      INFO("order " << order << ", force " << force_n);
      CHECK(end.mount[0] == within(force_n / 20.0, 5e-4));
      CHECK(end.mount[1] == 0.0);
      CHECK(end.mount[2] == 0.0);
      // The part rests on the table, and in G it has moved back.
      CHECK(end.part_pose[0] == within(4.0 - end.mount[0], 1e-6));
    }
  }
}

TEST_CASE("a force beside the middle turns the gripper by moment over stiffness") {
  for (const int order : {1, 2}) {
    const Scenario scenario = stuck(disc_scenario(15.0), {kRigid, 5000.0, 0.01}, order);
    const SimulationResult result = run(scenario, placed_at(-4.0, 5.0, 0.0, 5.0));
    REQUIRE(result.end == EndReason::kStopped);
    const State& end = result.final_state;
    CHECK(end.mount.head<2>() == Vec2::Zero());
    // The disc meets the right jaw at its own height in G.
    CHECK(end.mount[2] == within(-20.0 * end.part_pose[1] / 5000.0, 1e-4));
    const Vec2 part_N = Rotation2(end.mount[2]) * Vec2(end.part_pose.head<2>());
    CHECK((part_N - Vec2(4.0, -5.0)).norm() < 5e-4);  // by the error of the steps
  }
}

TEST_CASE("jaws turn flush with a tilted block that does not move") {
  const Scenario block = drawn_scenario(rectangle_loop(16.0, 20.0, {0.0, 0.0}));
  for (const double angle : {-0.05, 0.03}) {
    TrialParameters trial = placed_at(0.0, 10.0, 0.0, 5.0);
    trial.theta_rad = angle;
    const SimulationResult result = run(stuck(block, {20.0, 1000.0, 0.01}, 2), trial);
    REQUIRE(result.end == EndReason::kStopped);
    CHECK(result.final_state.mount[2] == within(angle, 1e-5));
    CHECK(result.final_state.part_pose[2] == within(0.0, 1e-5));
    // About the block's middle, 10 mm below G's origin.
    CHECK(result.final_state.mount[0] == within(-10.0 * std::sin(angle), 5e-3));
  }
}

TEST_CASE("a mount of vanishing compliance gives the rigid trial at first order") {
  // Stopped by the force, not by a gap, so that the end is smooth in the compliance.
  const TrialParameters trial = placed_at(-4.0, 5.0, 0.2, 5.0);
  const SimulationResult rigid = run(stuck(disc_scenario(15.0), {kRigid, kRigid, 0.0}, 2), trial);
  Scenario without = stuck(disc_scenario(15.0), {}, 2);
  without.gripper.mount.reset();
  CHECK((run(without, trial).final_state.part_pose - rigid.final_state.part_pose).norm() < 1e-9);
  double last = 0.0;
  for (const double stiffness : {100.0, 400.0, 1600.0}) {
    const Scenario scenario = stuck(disc_scenario(15.0), {stiffness, 1e3 * stiffness, 0.002}, 2);
    const SimulationResult soft = run(scenario, trial);
    const double off = (soft.final_state.part_pose - rigid.final_state.part_pose).norm();
    INFO(stiffness << ": " << off);
    if (last > 0.0) CHECK(std::log2(last / off) == within(2.0, 0.1));
    last = off;
  }
}

TEST_CASE("the error of a motion on a mount falls with the square of the steps' size") {
  constexpr double kRadius = 15.0;
  constexpr double kTime_s = 0.04;
  Scenario scenario = of_second_order(disc_scenario(kRadius));
  scenario.mass = {1.0, {0.0, 0.0}, 200.0};
  scenario.gripper.mount = Mount{5.0, 1e4, 0.01};
  const TrialParameters trial = placed_at(0.0, 12.0, 0.0, 0.0);
  // The right jaw pushes the disc away from the first instant on, and the gripper back.
  State start = initial_state(scenario, trial);
  start.jaw_right_mm = kRadius;
  start.jaw_left_mm = -kRadius - 30.0;
  scenario.gripper.coupling = Coupling::kIndependent;
  const auto after = [&](int steps) {
    CondensedStepper stepper;
    stepper.begin(scenario, trial);
    State state = start;
    State before;
    StepHistory history;
    for (int k = 0; k < steps; ++k) {
      REQUIRE(stepper.try_step(state, kTime_s / steps, true, history).converged);
      before = state;
      state = stepper.accept();
      history = {.order = 2, .before = &before, .before_s = kTime_s / steps};
    }
    return state;
  };
  const State exact = after(4096);
  CHECK(exact.mount.head<2>().norm() > 0.1);
  CHECK(std::abs(exact.mount[2]) > 1e-3);
  double last = 0.0;
  for (const int steps : {32, 64, 128}) {
    const State end = after(steps);
    const double error = (end.part_pose - exact.part_pose).norm() +
                         (end.mount - exact.mount).norm() +
                         std::abs(end.jaw_right_mm - exact.jaw_right_mm);
    INFO(steps << " steps: " << error);
    if (last > 0.0) CHECK(std::log2(last / error) == within(2.0, 0.25));
    last = error;
  }
}

TEST_CASE("closings on a mount gain no energy, and none fails") {
  Random random(11);
  for (int k = 0; k < 80; ++k) {
    Scenario scenario = random_scenario(random);
    const TrialParameters trial = random_trial(random);
    scenario.gripper.mount = random_mount(random);
    if (k % 2 == 0) scenario.gripper.right_pad = scenario.gripper.left_pad = pad_of(5, 3, 10, 1);
    for (const double tolerance_mm : {0.0, 0.01}) {
      const Scenario of_order = tolerance_mm > 0.0 ? of_second_order(scenario) : scenario;
      double last = 0.0;
      double gain = 0.0;
      const StepObserver observer = [&](const StepRecord& record) {
        const double now = trial_energy(of_order, record);
        if (record.step_s > 0.0) gain = std::max(gain, now - last);
        last = now;
      };
      const SimulationResult result = run(of_order, trial, &observer);
      INFO(k << ": " << describe(trial));
      CHECK(result.end != EndReason::kFailed);
      CHECK(result.end != EndReason::kTooLong);
      const double gain_mm = gain / (1000.0 * scenario.gripper.closing_force_n);
      CHECK(gain_mm <=
            1e-9 * scenario.gripper.opening_mm + 1.01 * tolerances::kMostSwing * tolerance_mm);
    }
  }
}

TEST_CASE("mirrored trials on a mount are mirror images") {
  Random random(12);
  int alike = 0;
  constexpr int kTrials = 30;
  for (int k = 0; k < kTrials; ++k) {
    Scenario scenario = random_scenario(random);
    const TrialParameters trial = random_trial(random);
    scenario.gripper.mount = random_mount(random);
    const SimulationResult one = run(scenario, trial);
    const SimulationResult other = run(mirror_image(scenario), mirror_image(trial));
    const State image = mirror_image(other.final_state);
    const double off = (one.final_state.part_pose - image.part_pose).norm() +
                       (one.final_state.mount - image.mount).norm();
    alike += one.end == other.end && off < 1e-6 ? 1 : 0;
  }
  CHECK(alike >= kTrials - 1);
}
