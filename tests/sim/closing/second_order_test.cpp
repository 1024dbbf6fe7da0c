/// Steps of second order (Scenario::order).

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/step_sizes.hpp"
#include "sim/closing/tolerances.hpp"
#include "tests/support/equal_steps.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/step_checker.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The state of a trial at the end of the first step that ends at `time_s` or later.
State state_at(const Scenario& scenario, const TrialParameters& trial, double time_s) {
  State found;
  bool late = false;
  const StepObserver observer = [&](const StepRecord& record) {
    if (late) return;
    found = *record.state;
    late = record.time_s >= time_s;
  };
  run(scenario, trial, &observer);
  return found;
}

/// The steps of a disc between the jaws.
struct DiscSteps {
  Scenario scenario = of_second_order(disc_scenario(20.0));
  BroadPhase part;
  StepMemory memory;
  SecondOrderSteps steps{scenario, 0.3, part, memory};

  DiscSteps() {
    part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
    part.set_fingers(scenario.gripper);
    memory.set_bodies(part.bodies());
  }

  /// The state at the start of a trial, with jaws that close at `speed_mm_s`.
  [[nodiscard]] State open(double speed_mm_s) const {
    State state = initial_state(scenario, {});
    state.jaw_right_mm_s = -speed_mm_s;
    state.jaw_left_mm_s = speed_mm_s;
    return state;
  }
};

double distance_mm(const State& a, const State& b) {
  return (a.part_pose - b.part_pose).head<2>().norm();
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

TEST_CASE("a step of second order continues a parabola exactly") {
  const Vec3 a(3.0, -2.0, 0.5);
  const Vec3 b(1.0, 4.0, -0.2);
  const auto position = [&](double t) -> Vec3 { return a * t * t + b * t; };
  const auto velocity = [&](double t) -> Vec3 { return 2.0 * a * t + b; };
  for (const double w : {0.25, 1.0, 2.0}) {
    State before;
    State start;
    before.part_pose = position(-1.0);
    start.part_pose = position(0.0);
    before.jaw_right_mm = position(-1.0).x();
    start.jaw_right_mm = position(0.0).x();
    const StepHistory history{.order = 2, .before = &before, .before_s = 1.0};
    const StepBase base = step_base(start, w, history);
    const Vec3 end = base.state.part_pose + base.h * velocity(w);
    CHECK((end - position(w)).norm() < 1e-14);
    CHECK(base.state.jaw_right_mm + base.h * velocity(w).x() == within(position(w).x(), 1e-14));
  }
}

TEST_CASE("a step of first order starts where it starts") {
  const State start = initial_state(disc_scenario(20.0), pushed_disc_trial());
  const State other;
  const StepBase base = step_base(start, 0.002, {.order = 1, .before = &other, .before_s = 1.0});
  CHECK(base.h == 0.002);
  CHECK(base.state.part_pose == start.part_pose);
  CHECK(base.state.jaw_left_mm_s == start.jaw_left_mm_s);
}

TEST_CASE("the error of steps of second order falls with the square of their size") {
  const Scenario scenario = of_second_order(disc_scenario(20.0));
  Scenario small_steps = disc_scenario(20.0);
  small_steps.step_s = 0.0005;
  double contact_s = 0.0;
  const StepObserver observer = [&](const StepRecord& record) {
    if (contact_s == 0.0 && record.step_s > 0.0) contact_s = record.time_s;
  };
  run(small_steps, pushed_disc_trial(), &observer);
  // Long after the impact: the fingertip slides along the rim.
  const State start = state_at(small_steps, pushed_disc_trial(), contact_s + 0.05);
  constexpr double kTime_s = 0.08;
  const State exact = after_equal_steps(scenario, pushed_disc_trial(), start, kTime_s, 4096, 2);
  for (const int order : {1, 2}) {
    std::vector<double> errors;
    for (const int steps : {8, 16, 32, 64}) {
      const State end =
          after_equal_steps(scenario, pushed_disc_trial(), start, kTime_s, steps, order);
      errors.push_back(distance_mm(end, exact));
    }
    for (std::size_t k = 1; k < errors.size(); ++k) {
      INFO("order " << order << ": " << errors[k - 1] << " mm, then " << errors[k] << " mm");
      const double halvings = std::log2(errors[k - 1] / errors[k]);
      CHECK(halvings > order - 0.35);
      CHECK(halvings < order + 0.5);
    }
    CHECK(errors.back() < (order == 2 ? 1e-4 : 0.1));
  }
}

TEST_CASE("steps of second order are few, and nearer to the exact motion than 2 ms") {
  constexpr int kTrials = 60;
  Random random(63);
  std::array<std::vector<double>, 3> errors;
  std::array<std::int64_t, 3> steps{};
  const Scenario fixed = lock_piece_scenario();
  Scenario exact = fixed;
  exact.step_s = 1e-4;
  for (int k = 0; k < kTrials; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    const State end = run(exact, trial).final_state;
    const std::array scenarios = {fixed, of_second_order(fixed), of_second_order(fixed, 0.001)};
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      const SimulationResult result = run(scenarios[i], trial);
      CHECK(result.end != EndReason::kFailed);
      CHECK(result.statistics.worst_gap_mm >= tolerances::kGapMm);
      CHECK(result.statistics.worst_residual <= tolerances::kResidual);
      errors[i].push_back(distance_mm(result.final_state, end));
      steps[i] += result.statistics.steps;
    }
  }
  CHECK(3 * steps[1] < steps[0]);
  CHECK(quantile(errors[1], 0.5) < quantile(errors[0], 0.5));
  CHECK(quantile(errors[1], 0.9) < 1.5 * quantile(errors[0], 0.9));
  CHECK(quantile(errors[2], 0.5) < 0.5 * quantile(errors[1], 0.5));
  CHECK(quantile(errors[2], 0.9) < quantile(errors[1], 0.9));
}

TEST_CASE("every step of second order solves its equations") {
  const Scenario scenario = of_second_order(lock_piece_scenario());
  Random random(64);
  int second = 0;
  for (int k = 0; k < 10; ++k) {
    const TrialParameters trial = lock_piece_trial(random);
    StepChecker checker(scenario, trial);
    const StepObserver observer = [&](const StepRecord& record) {
      checker(record);
      second += record.step_s > 0.0 && record.base.h != record.step_s ? 1 : 0;
    };
    run(scenario, trial, &observer);
    CHECK(checker.laws().finite);
    CHECK(checker.laws().kinematics < 1e-7);
    CHECK(checker.laws().momentum < 1e-7);
    CHECK(checker.laws().smallest_gap_mm > -1e-8);
    CHECK(checker.laws().cone < 1e-5);  // of an impact: over h F, which is small there
    CHECK(checker.laws().support_limit < 1e-7);
  }
  CHECK(second > 100);
}

TEST_CASE("a step of second order ends where a contact is about to close, then comes the impact") {
  DiscSteps disc;
  SecondOrderSteps& steps = disc.steps;
  State state;  // a disc whose rim is at x = -20 and 20 beside the fingertips
  state.jaw_right_mm = 25.0;
  state.jaw_left_mm = -20.105;
  state.jaw_right_mm_s = -50.0;
  state.jaw_left_mm_s = 50.0;

  State arrived = state;
  arrived.jaw_left_mm = -20.000001;  // where the free travel ends
  const double after_s = tolerances::kNegligible * 0.01 / 50.0;
  const double impact_s = steps.propose(arrived, 1.0);
  CHECK(steps.history().impact);
  CHECK(steps.history().flight_s == within(1e-6 / 50.0, 1e-12));
  CHECK(impact_s == within(1e-6 / 50.0 + after_s, 1e-12));
  CHECK(steps.halved(impact_s) == within(1e-6 / 50.0 + 0.5 * after_s, 1e-12));
  steps.accepted(arrived, state, impact_s, {});
  CHECK_FALSE(steps.history().impact);
  CHECK(steps.history().order == 1);
  CHECK(steps.history().before == nullptr);

  // 0.105 mm less a fifth of the tolerance at 50 mm/s
  CHECK(steps.propose(state, 1.0) == within(0.00206, 1e-5));
  CHECK(steps.propose(state, 0.001) == 0.001);
  state.jaw_left_mm = -20.003;  // near enough: the jaws go on as they come until they meet the disc
  CHECK(steps.propose(state, 1.0) == within(0.003 / 50.0 + after_s, 1e-9));
  CHECK(steps.history().impact);
  CHECK(steps.history().flight_s == within(0.003 / 50.0, 1e-12));
}

TEST_CASE("a step in which a contact lands at speed is tried again until just before") {
  DiscSteps disc;
  const State open = disc.open(50.0);
  disc.steps.restart(open);
  StepReport landed;
  landed.landing_speed_mm_s = 20.0;
  landed.landing_share = 0.4;
  CHECK_FALSE(disc.steps.is_enough(0.004, landed));
  CHECK(disc.steps.retry(0.004, landed) == within(0.004 * 0.9 * 0.4, 1e-12));
  landed.landing_speed_mm_s = 0.04 * 50.0;  // too slow for an impact
  CHECK(disc.steps.is_enough(0.004, landed));
}

TEST_CASE("after an impact two steps are of first order, and one that is off may be again") {
  DiscSteps disc;
  SecondOrderSteps& steps = disc.steps;
  const State open = disc.open(50.0);
  steps.restart(open);
  const auto orders = [&] {
    std::vector<int> seen;
    for (int k = 0; k < 4; ++k) {
      seen.push_back(steps.history().order);
      steps.accepted(open, open, 0.001, {});
    }
    return seen;
  };
  CHECK(orders() == std::vector<int>{1, 1, 2, 2});

  StepReport off;
  off.position_error_mm = 0.08;
  off.first_order_error_mm = 0.1;
  CHECK_FALSE(steps.is_enough(0.004, off));
  CHECK(steps.retry(0.004, off) == within(0.004 * std::cbrt(0.1), 1e-12));
  CHECK(steps.history().order == 2);
  off.first_order_error_mm = 0.002;
  CHECK(steps.retry(0.004, off) == 0.004);
  CHECK(steps.history().order == 1);

  // A jump of the velocities: no smaller step has a smaller error.
  off.position_error_mm = 0.0799;
  off.first_order_error_mm = 0.0799;
  steps.accepted(open, open, 0.001, {});
  off.jump_error_mm = 0.02;
  CHECK_FALSE(steps.is_enough(0.004, off));
  CHECK_FALSE(steps.is_enough(0.0028, off));  // the pose is off by too much
  off.jump_error_mm = 0.009;
  CHECK(steps.is_enough(0.0012, off));
  steps.accepted(open, open, 0.0012, off);
  CHECK(steps.history().before == nullptr);

  StepReport landed;
  landed.landing_speed_mm_s = 20.0;
  steps.accepted(open, open, 0.001, landed);
  CHECK(steps.history().impact);
  steps.accepted(open, open, steps.propose(open, 1.0), {});
  CHECK(orders() == std::vector<int>{1, 1, 2, 2});
}

TEST_CASE("what has come to rest is continued by steps of first order") {
  DiscSteps disc;
  SecondOrderSteps& steps = disc.steps;
  const State moving = disc.open(50.0);
  const State resting = disc.open(0.0);
  steps.restart(moving);
  for (int k = 0; k < 4; ++k) steps.accepted(moving, moving, 0.001, {});
  CHECK(steps.history().order == 2);
  for (int k = 0; k < 4; ++k) {
    steps.accepted(moving, resting, 0.001, {});
    CHECK(steps.history().order == 1);
  }
}

TEST_CASE("trials of second order keep the stop rule") {
  Scenario scenario = of_second_order(disc_scenario(20.0));
  const SimulationResult closed = run(scenario, pushed_disc_trial());
  CHECK(closed.end == EndReason::kClosed);
  CHECK(closed.final_state.jaw_right_mm - closed.final_state.jaw_left_mm ==
        within(scenario.stop.closed_opening_mm, 1e-3));
  scenario.stop.timeout_s = closed.end_time_s - 0.05;
  const SimulationResult late = run(scenario, pushed_disc_trial());
  CHECK(late.end == EndReason::kTimeout);
  CHECK(late.end_time_s == within(scenario.stop.timeout_s, 1e-9));
}
