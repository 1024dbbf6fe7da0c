/// Steps of a size chosen by their estimated error (Scenario::tolerance_mm).

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

Scenario with_tolerance(Scenario scenario, double tolerance_mm) {
  scenario.step_s = 0.008;
  scenario.tolerance_mm = tolerance_mm;
  return scenario;
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

/// The estimated error of each step and the true one, against many small steps.
struct StepError {
  double estimated_mm = 0.0;
  double true_mm = 0.0;
};

std::vector<StepError> errors_of_steps(const Scenario& scenario, const TrialParameters& trial) {
  constexpr int kSmallSteps = 64;
  std::vector<StepError> errors;
  SimulationResult result;
  CondensedStepper coarse;
  CondensedStepper fine;
  coarse.begin(scenario, trial);
  fine.begin(scenario, trial);
  for (const Step& step : steps_of(scenario, trial, result)) {
    const auto report = coarse.try_step(step.start, step.h, true);
    REQUIRE(report.converged);
    coarse.accept();
    State state = step.start;
    for (int k = 0; k < kSmallSteps; ++k) {
      REQUIRE(fine.try_step(state, step.h / kSmallSteps, true).converged);
      state = fine.accept();
    }
    errors.push_back(
        {report.position_error_mm, distance(state, step.end, fine.broad_phase().reach_mm())});
  }
  return errors;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What a step that is off by so much reports.
StepReport off_by(double error_mm) {
  StepReport report;
  report.position_error_mm = error_mm;
  return report;
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

TEST_CASE("the estimated error of a step is about its true one") {
  for (const double tolerance_mm : {0.008, 0.002}) {
    const Scenario scenario = with_tolerance(disc_scenario(20.0), tolerance_mm);
    std::vector<double> ratios;
    double estimated_mm = 0.0;
    double true_mm = 0.0;
    for (const StepError& error : errors_of_steps(scenario, pushed_disc_trial())) {
      CHECK(error.estimated_mm <= tolerance_mm);
      CHECK(error.true_mm <= 2.0 * tolerance_mm);
      estimated_mm += error.estimated_mm;
      true_mm += error.true_mm;
      if (error.estimated_mm > 0.1 * tolerance_mm) {
        ratios.push_back(error.true_mm / error.estimated_mm);
      }
    }
    REQUIRE(ratios.size() > 10);
    CHECK(median_of(ratios) == within(0.8, 0.3));
    CHECK(true_mm / estimated_mm == within(0.8, 0.4));
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

TEST_CASE("a quarter of the tolerance: half of the error, twice the steps") {
  constexpr std::array<double, 4> kTolerances = {0.016, 0.004, 0.001, 0.00025};
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
  }
  INFO("errors " << errors[0] << ' ' << errors[1] << ' ' << errors[2] << ' ' << errors[3]);
  INFO("steps " << steps[0] << ' ' << steps[1] << ' ' << steps[2] << ' ' << steps[3]);
  for (std::size_t k = 0; k + 1 < kTolerances.size(); ++k) {
    CHECK(errors[k] / errors[k + 1] == within(2.0, 0.6));
    CHECK(steps[k + 1] / steps[k] == within(2.0, 0.6));
  }
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

TEST_CASE("a tolerance that no step keeps is a trial of the smallest steps, not a failed one") {
  Scenario scenario = with_tolerance(disc_scenario(20.0), 1e-300);
  scenario.stop.timeout_s = 0.31;
  const SimulationResult result = run(scenario, pushed_disc_trial());
  CHECK(result.end == EndReason::kTimeout);
  CHECK(result.statistics.steps > 100);
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

TEST_CASE("a step ends just before a contact that the velocities predict") {
  const Scenario scenario = with_tolerance(disc_scenario(20.0), 0.01);
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  StepSize size(scenario, part);
  State state;
  state.part_pose = {0.0, 0.0, 0.0};  // a disc whose rim is at x = -20 and 20 beside the fingertips
  state.jaw_right_mm = 25.0;
  state.jaw_left_mm = -20.105;
  state.jaw_right_mm_s = -50.0;
  state.jaw_left_mm_s = 50.0;
  size.accepted({}, {}, 0.004, off_by(0.0));
  // 0.105 mm less half of the tolerance at 50 mm/s
  CHECK(size.propose(state, 1.0) == within(0.002, 1e-9));
  CHECK(size.propose(state, 0.001) == 0.001);
  state.jaw_left_mm = -20.001;  // too late to end before: the impact's step
  CHECK(size.propose(state, 1.0) == within(1.5 * 0.01 / 50.0, 1e-9));
  state.jaw_left_mm = -21.0;  // out of reach
  CHECK(size.propose(state, 1.0) == scenario.step_s);
}

TEST_CASE("the error of a step decides on the next size") {
  const Scenario scenario = with_tolerance(disc_scenario(20.0), 0.01);
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  StepSize size(scenario, part);
  const State open = initial_state(scenario, {});
  CHECK(size.is_enough(0.004, off_by(0.01)));
  CHECK_FALSE(size.is_enough(0.004, off_by(0.0101)));
  CHECK(size.is_enough(scenario.step_s / 4096.0, off_by(1.0)));
  CHECK(size.retry(0.004, off_by(0.032)) == within(0.002, 1e-12));
  CHECK(size.retry(0.004, off_by(0.0101)) == within(0.0028, 1e-12));
  CHECK(size.retry(0.004, off_by(1e9)) == within(0.0008, 1e-12));
  size.accepted({}, {}, 0.001, off_by(1e9));
  CHECK(size.propose(open, 1.0) == within(0.0002, 1e-12));
  size.accepted({}, {}, 1e-6, off_by(1e9));
  CHECK(size.propose(open, 1.0) == scenario.step_s / 4096.0);
  size.accepted({}, {}, 0.001, off_by(0.002));
  CHECK(size.propose(open, 1.0) == within(0.002, 1e-12));
  size.accepted({}, {}, 0.001, off_by(1e-9));
  CHECK(size.propose(open, 1.0) == within(0.004, 1e-12));
}
