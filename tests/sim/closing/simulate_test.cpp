#include "sim/closing/simulate.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tests/support/programs.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// A disc that the jaws close under: its lowest point is 5 mm above the fingertips.
TrialParameters out_of_reach() {
  TrialParameters trial;
  trial.placement_y_mm = -25.0;
  trial.mu_jaw = 0.2;
  trial.mu_support = 0.3;
  return trial;
}

/// A disc of radius 20 between the inside edges.
TrialParameters between() {
  TrialParameters trial = out_of_reach();
  trial.placement_x_mm = 1.0;
  trial.placement_y_mm = 30.0;
  return trial;
}

/// The time in which a jaw closes freely by a travel: bisection of the closed form.
double closing_time(const Gripper& gripper, double travel_mm) {
  const double v = gripper.closing_speed_mm_s;
  const double tau = gripper.jaw_mass_kg * v / (1000.0 * gripper.closing_force_n);
  double low = 0.0;
  double high = 100.0;
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (low + high);
    (v * (t - tau * (1.0 - std::exp(-t / tau))) < travel_mm ? low : high) = t;
  }
  return low;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool same_bits(const SimulationResult& a, const SimulationResult& b) {
  return a.end == b.end && same_bits(a.end_time_s, b.end_time_s) &&
         testing::same_bits(a.final_state, b.final_state) && a.right_touches == b.right_touches &&
         a.left_touches == b.left_touches && a.statistics.steps == b.statistics.steps &&
         a.statistics.newton_iterations == b.statistics.newton_iterations &&
         a.statistics.by_rung == b.statistics.by_rung &&
         same_bits(a.statistics.worst_residual, b.statistics.worst_residual) &&
         same_bits(a.statistics.worst_gap_mm, b.statistics.worst_gap_mm) &&
         same_bits(a.statistics.least_dissipation, b.statistics.least_dissipation);
}

double closing_speed(const State& state) {
  return std::max(-state.jaw_right_mm_s, state.jaw_left_mm_s);
}

/// Counts the time for which the jaws have been slow, and compares it with the stop time where the
/// simulation stopped.
SimulationResult check_stop(const Scenario& scenario, const TrialParameters& trial) {
  double slow = 0.0;
  double before = 0.0;
  bool touched = false;
  const StepObserver observer = [&](const StepRecord& record) {
    before = slow;
    for (const ContactRecord& c : *record.contacts) touched |= c.normal_impulse_mn_s > 0.0;
    const bool is_slow = touched && closing_speed(*record.state) < scenario.stop.stopped_speed_mm_s;
    slow = is_slow ? slow + record.step_s : 0.0;
  };
  const SimulationResult result = run(scenario, trial, &observer);
  INFO(describe(trial));
  if (result.end == EndReason::kStopped) {
    CHECK(slow >= scenario.stop.stopped_time_s - 1e-9);
    CHECK(before < scenario.stop.stopped_time_s - 1e-9);
  }
  return result;
}

}  // namespace

TEST_CASE("jaws that meet nothing close in the time of free travel") {
  const Scenario scenario = disc_scenario(20.0);
  const SimulationResult result = run(scenario, out_of_reach());
  CHECK(result.end == EndReason::kClosed);
  const double travel = 0.5 * (scenario.gripper.opening_mm - 2.0);
  CHECK(result.end_time_s == within(closing_time(scenario.gripper, travel), 1e-9));
  CHECK(result.final_state.jaw_right_mm == within(1.0, 1e-9));
  CHECK(result.final_state.jaw_left_mm == within(-1.0, 1e-9));
  CHECK(result.final_state.part_pose == Vec3(0.0, 25.0, 0.0));
  CHECK(result.left_touches.empty());
  CHECK(result.right_touches.empty());
}

TEST_CASE("time runs out at the timeout, before and after a contact") {
  Scenario scenario = disc_scenario(20.0);
  scenario.stop.timeout_s = 0.1;
  const SimulationResult before = run(scenario, between());
  CHECK(before.end == EndReason::kTimeout);
  CHECK(before.end_time_s == within(0.1, 1e-9));
  CHECK(before.left_touches.empty());

  const double contact = closing_time(scenario.gripper, 0.5 * scenario.gripper.opening_mm - 21.0);
  scenario.stop.timeout_s = contact + 0.015;
  const SimulationResult after = run(scenario, between());
  CHECK(after.end == EndReason::kTimeout);
  CHECK(after.end_time_s >= scenario.stop.timeout_s - 1e-9);
  CHECK(after.end_time_s <= scenario.stop.timeout_s + scenario.step_s);
  CHECK(after.statistics.steps > 0);
}

TEST_CASE("the first contact with a disc comes at the time of its distance") {
  const Scenario scenario = disc_scenario(20.0);
  const TrialParameters trial = between();  // the disc is 1 mm to the left
  double first = -1.0;
  const StepObserver observer = [&](const StepRecord& record) {
    if (first < 0.0 && record.time_s > 0.0) first = record.time_s;
  };
  run(scenario, trial, &observer);
  const double distance = 0.5 * scenario.gripper.opening_mm - 21.0;
  CHECK(first == within(closing_time(scenario.gripper, distance), 1e-6));
}

TEST_CASE("a jaw that overlaps the part at the start blocks the trial") {
  Scenario scenario = disc_scenario(20.0);
  scenario.gripper.opening_mm = 41.9;
  int calls = 0;
  const StepObserver observer = [&](const StepRecord&) { ++calls; };
  const SimulationResult result = run(scenario, between(), &observer);
  CHECK(result.end == EndReason::kBlocked);
  CHECK(result.end_time_s == 0.0);
  CHECK(result.statistics.steps == 0);
  CHECK(calls == 1);
  CHECK(result.final_state.part_pose == Vec3(-1.0, -30.0, 0.0));

  scenario.gripper.opening_mm = 42.1;
  CHECK(run(scenario, between()).end == EndReason::kStopped);
}

TEST_CASE("stopped means slow for the whole stop time after the first contact, and no longer") {
  Scenario scenario = lock_piece_scenario();
  for (const double stop_time : {0.02, 0.05}) {
    scenario.stop.stopped_time_s = stop_time;
    Random random(31);
    for (int k = 0; k < 30; ++k) check_stop(scenario, lock_piece_trial(random));
  }
}

TEST_CASE("slow time starts anew when the jaws have moved in between") {
  Scenario scenario = lock_piece_scenario();
  scenario.gripper.jaw_mass_kg = 1000.0;  // 10 mm/s^2: slow for 10 ms after a start at the part
  scenario.gripper.opening_mm = 2.0 * std::sqrt(20.75 * 20.75 - 11.0 * 11.0) + 1e-5;
  TrialParameters trial;
  trial.placement_y_mm = -11.0;
  trial.mu_jaw = 0.1;
  trial.mu_support = 0.2;
  const SimulationResult result = check_stop(scenario, trial);
  CHECK(result.end == EndReason::kStopped);
  CHECK(result.end_time_s > 0.1);
}

TEST_CASE("touching is a gap below the contact gap") {
  Scenario scenario = disc_scenario(20.0);
  State state = initial_state(scenario, between());
  state.part_pose = {0.0, -30.0, 0.0};
  state.jaw_right_mm = 20.049;
  state.jaw_left_mm = -20.051;
  std::vector<int> pieces{7, 8};
  touching_pieces(scenario, state, JawSide::kRight, pieces);
  CHECK(pieces == std::vector<int>{0});
  touching_pieces(scenario, state, JawSide::kLeft, pieces);
  CHECK(pieces.empty());
  CHECK(smallest_gap_mm(scenario, state) == within(0.049, 1e-12));

  scenario.stop.contact_gap_mm = 0.052;
  touching_pieces(scenario, state, JawSide::kLeft, pieces);
  CHECK(pieces == std::vector<int>{0});
}

TEST_CASE("the pieces that a jaw touches come in ascending order") {
  const Scenario scenario = lock_piece_scenario();
  Random random(32);
  int several = 0;
  for (int k = 0; k < 100; ++k) {
    const SimulationResult result = run(scenario, lock_piece_trial(random));
    CHECK(std::is_sorted(result.left_touches.begin(), result.left_touches.end()));
    CHECK(std::is_sorted(result.right_touches.begin(), result.right_touches.end()));
    if (result.left_touches.size() > 1) ++several;
    std::vector<int> pieces;
    touching_pieces(scenario, result.final_state, JawSide::kLeft, pieces);
    CHECK(pieces == result.left_touches);
  }
  CHECK(several > 0);
}

TEST_CASE("an observer sees the start, the end of free travel, and every step in order") {
  const Scenario scenario = lock_piece_scenario();
  Random random(33);
  const TrialParameters trial = lock_piece_trial(random);
  std::vector<double> times;
  std::int64_t steps = 0;
  State last;
  const StepObserver observer = [&](const StepRecord& record) {
    if (!times.empty())
      CHECK(record.time_s ==
            within(times.back() + record.step_s, times.size() == 1 ? 10.0 : 1e-12));
    times.push_back(record.time_s);
    if (record.step_s > 0.0) ++steps;
    last = *record.state;
  };
  const SimulationResult result = run(scenario, trial, &observer);
  CHECK(times.front() == 0.0);
  CHECK(times.size() == static_cast<std::size_t>(result.statistics.steps) + 2);
  CHECK(steps == result.statistics.steps);
  CHECK(times.back() == result.end_time_s);
  CHECK(same_bits(last, result.final_state));
}

TEST_CASE("a trial's result depends on nothing but the trial") {
  Workspace used;
  Random random(34);
  for (int k = 0; k < 60; ++k) {
    Scenario scenario = random_scenario(random);
    TrialParameters trial = random_trial(random);
    if (k % 2 == 0) {
      scenario = k % 4 == 0 ? lock_piece_scenario() : lock_piece_on_tripod();
      trial = lock_piece_trial(random);
    }
    const SimulationResult fresh = run(scenario, trial);
    SimulationResult reused;
    simulate(scenario, trial, used, reused);
    INFO("trial " << k << ": " << describe(trial));
    CHECK(same_bits(fresh, reused));
    simulate(scenario, trial, used, reused);
    CHECK(same_bits(fresh, reused));
    const StepObserver observer = [](const StepRecord&) {};
    simulate(scenario, trial, used, reused, &observer);
    CHECK(same_bits(fresh, reused));
  }
}

TEST_CASE("rungs have different names") {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kRungCount; ++k) names.push_back(name(static_cast<Rung>(k)));
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(names.front() != "");
}
