/// Steps of fixed size, and of a size chosen by their estimated error (Scenario::order).

#include "sim/closing/step_sizes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

Scenario with_tolerance(const Scenario& scenario, double tolerance_mm) {
  return of_second_order(scenario, tolerance_mm, 0.008);
}

struct Step {
  State start;
  State end;
  double h = 0.0;
  Rung rung = Rung::kWarm;
};

std::vector<Step> steps_of(const Scenario& scenario, const TrialParameters& trial,
                           SimulationResult& result) {
  std::vector<Step> steps;
  State before;
  const StepObserver observer = [&](const StepRecord& record) {
    if (record.step_s > 0.0) steps.push_back({before, *record.state, record.step_s, record.rung});
    before = *record.state;
  };
  result = run(scenario, trial, &observer);
  return steps;
}

/// How far points of the part within `reach_mm` of its centre of mass are apart, at most.
double distance(const State& a, const State& b, double reach_mm) {
  const Vec3 d = a.part_pose - b.part_pose;
  return d.head<2>().norm() + reach_mm * std::abs(d[2]);
}

}  // namespace

TEST_CASE("without a tolerance all steps are halves of halves of the full one") {
  Random random(61);
  for (int k = 0; k < 5; ++k) {
    SimulationResult result;
    const Scenario scenario = lock_piece_scenario();
    for (const Step& step : steps_of(scenario, lock_piece_trial(random), result)) {
      int exponent = 0;
      CHECK(std::frexp(scenario.step_s / step.h, &exponent) == 0.5);
    }
    CHECK(result.statistics.steps > 0);
  }
}

TEST_CASE("with a tolerance no step is too long, and all keep their gaps and residuals") {
  Random random(62);
  const Scenario scenario = with_tolerance(lock_piece_scenario(), 0.005);
  for (int k = 0; k < 20; ++k) {
    SimulationResult result;
    for (const Step& step : steps_of(scenario, lock_piece_trial(random), result)) {
      CHECK(step.h <= scenario.step_s);
    }
    CHECK(result.statistics.steps > 0);
    CHECK(result.end != EndReason::kFailed);
    CHECK(result.statistics.worst_gap_mm >= tolerances::kGapMm);
    CHECK(result.statistics.worst_residual <= tolerances::kResidual);
  }
}

TEST_CASE("closed contacts take away what they determine of the error") {
  constexpr double kStep = 0.002;
  constexpr double kReach = 20.0;
  PositionError error({3.0, 4.0, 0.1}, kStep, kReach);
  CHECK(error.mm() == within(1e-3 * (5.0 + 2.0), 1e-15));
  error.keep_closed({1.0, 0.0}, {-20.0, 0.0}, 0.0);  // x stays
  CHECK(error.mm() == within(1e-3 * (4.0 + 2.0), 1e-15));
  error.keep_closed({1.0, 0.0}, {-20.0, 0.0}, 0.0);  // the same again
  CHECK(error.mm() == within(1e-3 * (4.0 + 2.0), 1e-15));
  error.keep_closed({0.0, 1.0}, {0.0, -20.0}, 0.0);  // y stays
  CHECK(error.mm() == within(1e-3 * 2.0, 1e-15));
  error.keep_closed({0.0, 1.0}, {20.0, 0.0}, 0.0);  // and, with y, the angle
  CHECK(error.mm() == within(1e-3 * 0.1 * 7.0, 1e-15));

  PositionError with_the_jaw({3.0, 0.0, 0.0}, kStep, kReach);
  with_the_jaw.keep_closed({1.0, 0.0}, {-20.0, 0.0}, 2.0);  // the part follows the jaw
  CHECK(with_the_jaw.mm() == within(1e-3 * 2.0, 1e-15));
  PositionError turning({3.0, 0.0, 0.1}, kStep, kReach);
  turning.keep_closed({1.0, 0.0}, {0.0, -10.0}, 2.0);  // x + 0.5 (20 theta) follows the jaw
  CHECK(turning.mm() == within(1e-3 * (1.4 + 1.2), 1e-15));
}

TEST_CASE("a smaller tolerance: a smaller error, and few more steps") {
  constexpr std::array<double, 3> kTolerances = {0.032, 0.001, 0.00003};
  Scenario scenario = with_tolerance(disc_scenario(20.0), 2e-6);
  scenario.step_s = 0.05;
  const SimulationResult reference = run(scenario, pushed_disc_trial());
  std::array<double, kTolerances.size()> errors{};
  std::array<double, kTolerances.size()> steps{};
  for (std::size_t k = 0; k < kTolerances.size(); ++k) {
    scenario.tolerance_mm = kTolerances[k];
    const SimulationResult result = run(scenario, pushed_disc_trial());
    CHECK(result.end == reference.end);
    errors[k] = distance(result.final_state, reference.final_state, 20.0);
    steps[k] = static_cast<double>(result.statistics.steps);
    CHECK(errors[k] < kTolerances[k] * std::sqrt(steps[k]));
  }
  INFO("errors " << errors[0] << ' ' << errors[1] << ' ' << errors[2]);
  INFO("steps " << steps[0] << ' ' << steps[1] << ' ' << steps[2]);
  CHECK(errors[0] / errors[2] > 16.0);
  CHECK(steps[2] / steps[0] < 24.0);  // of first order: sqrt(1000) = 32
}

TEST_CASE("outcomes with a tolerance are those of small steps") {
  Scenario fine = lock_piece_scenario();
  fine.step_s = 0.0005;
  const Scenario scenario = with_tolerance(lock_piece_scenario(), 0.005);
  Random random(63);
  for (int k = 0; k < 20; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    const SimulationResult reference = run(fine, trial);
    const SimulationResult result = run(scenario, trial);
    INFO(describe(trial));
    CHECK(result.end == reference.end);
    CHECK(result.left_touches == reference.left_touches);
    CHECK(result.right_touches == reference.right_touches);
    CHECK(2 * result.statistics.steps < reference.statistics.steps);
  }
}

TEST_CASE("a tolerance that no step keeps ends a trial with too much work, and is no success") {
  Scenario scenario = with_tolerance(disc_scenario(20.0), 1e-300);
  scenario.stop.timeout_s = 0.31;
  const SimulationResult result = run(scenario, pushed_disc_trial());
  CHECK(result.end == EndReason::kTooLong);
  CHECK(static_cast<double>(result.statistics.steps) <= most_work(scenario));
}

TEST_CASE("a trial with a tolerance does not depend on what was simulated before") {
  const Scenario scenario = with_tolerance(lock_piece_scenario(), 0.005);
  Random random(64);
  Workspace used;
  SimulationResult result;
  for (int k = 0; k < 10; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    simulate(scenario, trial, used, result);
    const SimulationResult alone = run(scenario, trial);
    CHECK(alone.final_state.part_pose == result.final_state.part_pose);
    CHECK(alone.final_state.jaw_right_mm == result.final_state.jaw_right_mm);
    CHECK(alone.end_time_s == result.end_time_s);
    CHECK(alone.statistics.newton_iterations == result.statistics.newton_iterations);
  }
}

TEST_CASE("with a tolerance the jaws stop, close and run out of time when the stop rule says") {
  Scenario scenario = with_tolerance(disc_scenario(20.0), 0.01);
  TrialParameters trial = pushed_disc_trial();
  trial.placement_y_mm = 5.0;  // between the inside edges
  SimulationResult result;
  double slow = 0.0;
  for (const Step& step : steps_of(scenario, trial, result)) {
    const double speed = std::max(-step.end.jaw_right_mm_s, step.end.jaw_left_mm_s);
    slow = speed < scenario.stop.stopped_speed_mm_s ? slow + step.h : 0.0;
  }
  CHECK(result.end == EndReason::kStopped);
  CHECK(slow == within(scenario.stop.stopped_time_s, 1e-9));

  const SimulationResult closed = run(scenario, pushed_disc_trial());
  CHECK(closed.end == EndReason::kClosed);
  CHECK(closed.final_state.jaw_right_mm - closed.final_state.jaw_left_mm ==
        within(scenario.stop.closed_opening_mm, 1e-3));

  scenario.stop.timeout_s = closed.end_time_s - 0.05;
  const SimulationResult late = run(scenario, pushed_disc_trial());
  CHECK(late.end == EndReason::kTimeout);
  CHECK(late.end_time_s == within(scenario.stop.timeout_s, 1e-9));
}
