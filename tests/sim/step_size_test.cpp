/// Steps of a size chosen by their estimated error (Scenario::tolerance_mm).

#include "sim/step_size.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/simulate.hpp"
#include "sim/steppers/implicit.hpp"
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

double estimated_error(const Step& step, double reach_mm) {
  const Vec3 change = step.end.part_velocity - step.start.part_velocity;
  return 0.5 * step.h * (change.head<2>().norm() + reach_mm * std::abs(change[2]));
}

/// The error of a step against many small ones.
double true_error(const Scenario& scenario, const TrialParameters& trial, const Step& step,
                  double reach_mm) {
  constexpr int kSteps = 64;
  ImplicitStepper stepper;
  stepper.begin(scenario, trial);
  State state = step.start;
  for (int k = 0; k < kSteps; ++k) {
    REQUIRE(stepper.try_step(state, step.h / kSteps, true).converged);
    state = stepper.accept();
  }
  return distance(state, step.end, reach_mm);
}

double reach_of(const Scenario& scenario) {
  return bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A disc above the fingertips' middle that one fingertip pushes aside and up.
TrialParameters pushed() {
  TrialParameters trial;
  trial.placement_x_mm = 3.0;
  trial.placement_y_mm = -15.0;
  trial.mu_jaw = 0.2;
  trial.mu_support = 0.3;
  return trial;
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
  }
}

TEST_CASE("with a tolerance no step's estimated error is larger and no step is too long") {
  Random random(62);
  const Scenario scenario = with_tolerance(lock_piece_scenario(), 0.005);
  for (int k = 0; k < 20; ++k) {
    SimulationResult result;
    for (const Step& step : steps_of(scenario, lock_piece_trial(random), result)) {
      CHECK(estimated_error(step, reach_of(scenario)) <= 0.005 * (1.0 + 1e-9));
      CHECK(step.h <= scenario.step_s);
    }
    CHECK(result.end != EndReason::kFailed);
    CHECK(result.statistics.worst_gap_mm >= tolerances::kGapMm);
    CHECK(result.statistics.worst_residual <= tolerances::kResidual);
  }
}

TEST_CASE("the estimated error of a step is about its true one where the motion is smooth") {
  const Scenario scenario = with_tolerance(disc_scenario(20.0), 0.002);
  SimulationResult result;
  std::vector<double> ratios;
  for (const Step& step : steps_of(scenario, pushed(), result)) {
    const double estimate = estimated_error(step, reach_of(scenario));
    if (estimate < 1e-4) continue;
    printf("h %g est %g true %g dv %g v %g c %g t %g\n",step.h*1e3,estimate,true_error(scenario, pushed(), step, reach_of(scenario)),(step.end.part_velocity-step.start.part_velocity).norm(),step.end.part_velocity.norm(),step.end.jaw_left_mm_s,step.end.part_pose.x());
    ratios.push_back(true_error(scenario, pushed(), step, reach_of(scenario)) / estimate);
    CHECK(ratios.back() <= 1.5);
  }
  REQUIRE(ratios.size() > 20);
  CHECK(median(ratios) == within(0.8, 0.3));
}

TEST_CASE("a smaller tolerance brings the final pose closer to that of small steps") {
  constexpr int kTrials = 20;
  constexpr std::array<double, 3> kTolerances = {0.08, 0.01, 0.0005};
  std::array<std::vector<double>, kTolerances.size()> errors;
  std::array<std::int64_t, kTolerances.size()> steps{};
  Scenario fine = lock_piece_scenario();
  fine.step_s = 0.0002;
  Random random(63);
  for (int k = 0; k < kTrials; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    const SimulationResult reference = run(fine, trial);
    for (std::size_t level = 0; level < kTolerances.size(); ++level) {
      const SimulationResult result =
          run(with_tolerance(lock_piece_scenario(), kTolerances[level]), trial);
      if (level > 0) {
        INFO(describe(trial));
        CHECK(result.end == reference.end);
        CHECK(result.left_touches == reference.left_touches);
        CHECK(result.right_touches == reference.right_touches);
      }
      errors[level].push_back(distance(result.final_state, reference.final_state, 0.0));
      steps[level] += result.statistics.steps;
    }
  }
  INFO("medians " << median(errors[0]) << ' ' << median(errors[1]) << ' ' << median(errors[2]));
  CHECK(median(errors[2]) < 0.7 * median(errors[1]));
  CHECK(median(errors[1]) < 0.7 * median(errors[0]));
  CHECK(steps[0] < steps[1]);
  CHECK(steps[1] < steps[2]);
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
  TrialParameters trial = pushed();
  trial.placement_y_mm = 5.0;  // between the inside edges
  SimulationResult result;
  double slow = 0.0;
  for (const Step& step : steps_of(scenario, trial, result)) {
    const double speed = std::max(-step.end.jaw_right_mm_s, step.end.jaw_left_mm_s);
    slow = speed < scenario.stop.stopped_speed_mm_s ? slow + step.h : 0.0;
  }
  CHECK(result.end == EndReason::kStopped);
  CHECK(slow == within(scenario.stop.stopped_time_s, 1e-9));

  const SimulationResult closed = run(scenario, pushed());
  CHECK(closed.end == EndReason::kClosed);
  CHECK(closed.final_state.jaw_right_mm - closed.final_state.jaw_left_mm ==
        within(scenario.stop.closed_opening_mm, 1e-3));

  scenario.stop.timeout_s = closed.end_time_s - 0.05;
  const SimulationResult late = run(scenario, pushed());
  CHECK(late.end == EndReason::kTimeout);
  CHECK(late.end_time_s == within(scenario.stop.timeout_s, 1e-9));
}

TEST_CASE("a step ends just before a contact that the velocities predict") {
  const Scenario scenario = with_tolerance(disc_scenario(20.0), 0.01);
  std::vector<BodyPiece> pieces;
  make_body_pieces(scenario.part, scenario.mass.center_of_mass_P_mm, pieces);
  StepSize size(scenario, pieces, 20.0);
  State state;
  state.part_pose = {0.0, 0.0, 0.0};  // a disc whose rim is at x = -20 and 20 beside the fingertips
  state.jaw_right_mm = 25.0;
  state.jaw_left_mm = -20.105;
  state.jaw_right_mm_s = -50.0;
  state.jaw_left_mm_s = 50.0;
  size.accepted(0.004, 0.0);
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
  const std::vector<BodyPiece> none;
  StepSize size(scenario, none, 20.0);
  const State open = initial_state(scenario, {});
  CHECK(size.is_enough(0.004, 0.01));
  CHECK_FALSE(size.is_enough(0.004, 0.0101));
  CHECK(size.is_enough(scenario.step_s / 4096.0, 1.0));
  CHECK(size.retry(0.004, 0.032) == within(0.002, 1e-12));
  CHECK(size.retry(0.004, 0.0101) == within(0.0028, 1e-12));
  CHECK(size.retry(0.004, 1e9) == within(0.0008, 1e-12));
  size.accepted(0.001, 0.002);
  CHECK(size.propose(open, 1.0) == within(0.002, 1e-12));
  size.accepted(0.001, 1e-9);
  CHECK(size.propose(open, 1.0) == within(0.004, 1e-12));
}

TEST_CASE("the full stepper keeps a tolerance as the condensed one does") {
  Scenario scenario = with_tolerance(disc_scenario(20.0), 0.02);
  const SimulationResult condensed = run(scenario, pushed());
  scenario.stepper = StepperKind::kImplicitFull;
  const SimulationResult full = run(scenario, pushed());
  CHECK(full.end == condensed.end);
  CHECK(full.statistics.steps == condensed.statistics.steps);
  CHECK(distance(full.final_state, condensed.final_state, 20.0) <= 1e-5);
}
