/// Trials of several phases, in which the gripper moves.

#include "sim/closing/program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/closing/condensed_stepper.hpp"
#include "sim/closing/length_unit.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/support/static_loads.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/random_drawn_scenes.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/step_checker.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kPi = std::numbers::pi;

bool same_bits(const SimulationResult& a, const SimulationResult& b) {
  return a.end == b.end && a.end_time_s == b.end_time_s &&
         testing::same_bits(a.final_state, b.final_state) && a.right_touches == b.right_touches &&
         a.left_touches == b.left_touches && a.palm_touches == b.palm_touches &&
         a.statistics.steps == b.statistics.steps &&
         a.statistics.newton_iterations == b.statistics.newton_iterations &&
         a.statistics.by_rung == b.statistics.by_rung &&
         a.statistics.worst_residual == b.statistics.worst_residual &&
         a.statistics.worst_gap_mm == b.statistics.worst_gap_mm &&
         a.statistics.least_dissipation == b.statistics.least_dissipation;
}

double opening(const State& state) { return state.jaw_right_mm - state.jaw_left_mm; }

/// The step of the last contacts with an impulse: their sum, and the last step's size.
struct LastStep {
  double step_s = 0.0;
  std::vector<ContactRecord> contacts;
};

SimulationResult run_to_last_step(const Scenario& scenario, const TrialParameters& trial,
                                  LastStep& last) {
  const StepObserver observer = [&](const StepRecord& record) {
    last.step_s = record.step_s;
    last.contacts = *record.contacts;
  };
  return run(scenario, trial, &observer);
}

/// A disc of radius 20 mm between the inside edges, and its scenarios of both orders.
constexpr double kRadius = 20.0;
std::vector<Scenario> disc_scenarios() {
  return {disc_scenario(kRadius), of_second_order(disc_scenario(kRadius))};
}

/// From a state, `steps` equal steps of an order in a phase; the first has the first order.
State after_equal_steps(const Scenario& scenario, const TrialParameters& trial, const Phase& phase,
                        State state, double time_s, int steps, int order) {
  CondensedStepper stepper;
  stepper.begin(scenario, trial);
  stepper.begin_phase(phase, 50.0, state, false);
  StepHistory history;
  State before;
  const double h = time_s / steps;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.try_step(state, h, true, history);
    REQUIRE(report.converged);
    REQUIRE(report.energy_gain_mm <= tolerances::kMostEnergyGain * scenario.gripper.opening_mm);
    before = state;
    state = stepper.accept();
    history = {.order = order, .before = &before, .before_s = h};
  }
  return state;
}

struct Tally {
  int failed = 0;
  int too_long = 0;
  std::int64_t iterations = 0;
  std::int64_t steps = 0;
  double worst_gap = 0.0;  ///< in the unit of length
  StepLaws laws;
};

/// Parts of superellipses, or drawn ones with drawn fingers.
void run_random_programs(int order, bool drawn, std::uint64_t count, Tally& tally) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    Scenario scenario;
    TrialParameters trial;
    if (drawn) {
      const auto kind = static_cast<OutlineKind>(seed % kOutlineKinds.size());
      const auto fingers =
          static_cast<FingerKind>(seed / kOutlineKinds.size() % kFingerKinds.size());
      scenario = random_outline_scenario(random, kind, fingers);
      trial = random_outline_trial(random, scenario);
    } else {
      scenario = random_scenario(random);
      trial = random_trial(random);
    }
    scenario.program = random_program(random, scenario.gripper.opening_mm);
    if (order == 2) scenario = of_second_order(scenario, 0.02);
    const double unit_mm = length_unit_mm(scenario);
    double worst = 0.0;
    StepChecker checker(scenario, trial, drawn ? StepChecks::kCheap : StepChecks::kAll);
    const StepObserver observer = [&](const StepRecord& record) {
      if (record.step_s == 0.0) return;
      worst = std::min(worst, smallest_gap_mm(scenario, *record.state));
      checker(record);
    };
    const SimulationResult result = run(scenario, trial, &observer);
    const StepLaws& laws = checker.laws();
    merge(laws, tally.laws);
    INFO("order " << order << (drawn ? ", drawn" : "") << ", seed " << seed << ": "
                  << describe(trial));
    CHECK(result.end != EndReason::kFailed);
    CHECK(result.end != EndReason::kTooLong);
    CHECK(laws.finite);
    CHECK(laws.symmetric);
    CHECK(laws.kinematics < 1e-7);
    CHECK(laws.drift < 1e-6);
    CHECK(worst >= -1e-8 * unit_mm - 1e-13);
    tally.failed += result.end == EndReason::kFailed ? 1 : 0;
    tally.too_long += result.end == EndReason::kTooLong ? 1 : 0;
    tally.iterations += result.statistics.newton_iterations;
    tally.steps += result.statistics.steps;
    tally.worst_gap = std::min(tally.worst_gap, worst / unit_mm);
  }
}

}  // namespace

TEST_CASE("the pose of G after a twist is that of many small motions") {
  const GripperTwist twist{{30.0, -20.0}, 0.7};
  const Pose2 moved = moved_by(twist, 1.5);
  Pose2 sum;
  constexpr int kParts = 200000;
  const double dt = 1.5 / kParts;
  for (int k = 0; k < kParts; ++k) {
    const double middle = 0.7 * dt * (k + 0.5);
    sum.position_mm += dt * (Rotation2(middle) * twist.velocity_mm_s);
  }
  CHECK((moved.position_mm - sum.position_mm).norm() < 1e-7);
  CHECK(moved.angle_rad == within(0.7 * 1.5, 1e-14));
  const Vec3 left = left_behind(twist, {5.0, -7.0, 0.4}, 1.5);
  const Pose2 back = compose(moved, {left.head<2>(), left[2]});
  CHECK((back.position_mm - Vec2(5.0, -7.0)).norm() < 1e-13);
  CHECK(back.angle_rad == within(0.4, 1e-14));
}

TEST_CASE("a program of one closing is today's closing, bit for bit") {
  for (const int order : {1, 2}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      Scenario scenario = random_scenario(random);
      if (order == 2) scenario = of_second_order(scenario);
      const TrialParameters trial = random_trial(random);
      const SimulationResult alone = run(scenario, trial);
      scenario.program = {{.duration_s = scenario.stop.timeout_s}};
      const SimulationResult phase = run(scenario, trial);
      INFO("order " << order << ", seed " << seed);
      CHECK(same_bits(alone, phase));
      CHECK(alone.phase_ends.empty());
      if (alone.end == EndReason::kBlocked) continue;
      REQUIRE(phase.phase_ends.size() == 1);
      CHECK(same_bits(phase.phase_ends[0].state, phase.final_state));
      CHECK(phase.phase_ends[0].left_touches == phase.left_touches);
      CHECK(phase.phase_ends[0].state.gripper.position_mm == Vec2::Zero());
    }
  }
}

TEST_CASE("phases of no duration do nothing, and the same program gives the same bits") {
  for (const int order : {1, 2}) {
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
      Random random(seed);
      Scenario scenario = random_scenario(random);
      if (order == 2) scenario = of_second_order(scenario);
      const TrialParameters trial = random_trial(random);
      scenario.program = random_program(random, scenario.gripper.opening_mm);
      const SimulationResult once = run(scenario, trial);
      CHECK(same_bits(once, run(scenario, trial)));
      GripperProgram& program = scenario.program;
      const Phase nothing = move_held({{500.0, 300.0}, 4.0}, 0.0);
      for (std::size_t k = program.size() + 1; k-- > 0;) {
        program.insert(program.begin() + static_cast<std::ptrdiff_t>(k), nothing);
      }
      const SimulationResult again = run(scenario, trial);
      INFO("order " << order << ", seed " << seed);
      CHECK(same_bits(once, again));
      if (once.end == EndReason::kStopped) {
        CHECK(again.phase_ends.size() == 2 * once.phase_ends.size() + 1);
        CHECK(again.phase_ends.back().state.gripper.position_mm ==
              once.phase_ends.back().state.gripper.position_mm);
      }
    }
  }
}

TEST_CASE("without friction on the table a moving gripper meets a part as one at rest does") {
  const Scenario scenario = lock_piece_scenario();
  const TrialParameters trial = placed_at(4.0, -11.0, 0.2, 0.0);
  State state = initial_state(scenario, trial);
  state.jaw_right_mm = 26.0;
  state.jaw_left_mm = -26.0;
  state.part_velocity = {-30.0, -20.0, 0.0};
  const Phase moving{.twist = {{30.0, 20.0}, 0.0}};
  for (const int steps : {50, 300}) {
    const State still = after_equal_steps(scenario, trial, {}, state, 0.15, steps, 1);
    const State moved = after_equal_steps(scenario, trial, moving, state, 0.15, steps, 1);
    CHECK((still.part_pose - moved.part_pose).norm() < 1e-9);
    CHECK(still.jaw_left_mm == within(moved.jaw_left_mm, 1e-9));
    CHECK((moved.part_pose - state.part_pose).norm() > 0.5);
  }
}

TEST_CASE("in a turning gripper a free part goes straight, as exactly as the order says") {
  const Scenario scenario = of_second_order(disc_scenario(5.0));
  const TrialParameters trial = placed_at(0.0, 0.0, 0.2, 0.0);
  const Phase turning = move_held({{20.0, -10.0}, 1.5}, 1.0);
  State state = initial_state(scenario, trial);
  state.part_pose = {3.0, 40.0, 0.2};   // above the fingers
  const Vec3 velocity(8.0, 12.0, 0.5);  // against the table
  state.part_velocity = velocity - turning.twist.at(state.part_pose.head<2>());
  state.jaw_right_mm = 500.0;
  state.jaw_left_mm = -500.0;
  constexpr double kTime_s = 0.4;
  for (const int order : {1, 2}) {
    std::vector<double> errors;
    for (const int steps : {16, 32, 64, 128}) {
      const State end = after_equal_steps(scenario, trial, turning, state, kTime_s, steps, order);
      const Pose2 part = on_table(end);
      const Vec2 straight = state.part_pose.head<2>() + kTime_s * velocity.head<2>();
      errors.push_back((part.position_mm - straight).norm());
      CHECK(part.angle_rad == within(0.2 + kTime_s * 0.5, 1e-9));
    }
    for (std::size_t k = 1; k < errors.size(); ++k) {
      INFO("order " << order << ": " << errors[k - 1] << " mm, then " << errors[k] << " mm");
      CHECK(errors[k - 1] / errors[k] > (order == 2 ? 3.5 : 1.8));
      CHECK(errors[k - 1] / errors[k] < (order == 2 ? 5.0 : 2.3));
    }
  }
}

TEST_CASE("in a turning gripper a part at rest stays on its table, as exactly as the order says") {
  for (const SupportModel& support :
       {SupportModel(EllipsoidSupport{1.0, 0.8, 4.0}), SupportModel(tripod(4.0))}) {
    Scenario scenario = of_second_order(disc_scenario(5.0));
    scenario.support = support;
    const TrialParameters trial = placed_at(0.0, 0.0, 0.2, 0.3);
    const Phase turning = move_held({{20.0, -10.0}, 1.5}, 1.0);
    State state = initial_state(scenario, trial);
    state.part_pose = {3.0, 40.0, 0.2};
    state.part_velocity = -turning.twist.at(state.part_pose.head<2>());
    state.jaw_right_mm = 500.0;
    state.jaw_left_mm = -500.0;
    std::vector<double> errors;
    for (const int steps : {16, 32, 64}) {
      const State end = after_equal_steps(scenario, trial, turning, state, 0.4, steps, 2);
      const Pose2 part = on_table(end);
      errors.push_back((part.position_mm - state.part_pose.head<2>()).norm());
      CHECK(over_table(turning.twist, end).norm() < 1e-5);
    }
    CHECK(errors[0] / errors[1] > 3.5);
    CHECK(errors[1] / errors[2] > 3.5);
  }
}

TEST_CASE("a finger that pushes a disc through its centre carries it along, without a turn") {
  for (const Scenario& disc : disc_scenarios()) {
    for (const double speed : {1.0, 20.0, 200.0}) {
      const GripperTwist twist{{speed, 0.0}, 0.0};
      const Scenario scenario = with_program(disc, {move_held(twist, 30.0 / speed)});
      LastStep last;
      const SimulationResult result =
          run_to_last_step(scenario, placed_at(0.0, 30.0, 0.2, 0.4), last);
      INFO("order " << disc.order << ", " << speed << " mm/s");
      CHECK(result.end == EndReason::kStopped);
      CHECK(result.final_state.part_velocity.norm() < 1e-6 * speed);
      CHECK(result.final_state.part_pose[2] == within(0.0, 1e-9));
      CHECK(result.final_state.part_pose[0] == within(result.final_state.jaw_left_mm + 20.0, 1e-8));
      CHECK(result.left_touches == std::vector<int>{0});
      CHECK(result.right_touches.empty());
      REQUIRE(last.contacts.size() == 1);
      const double force_mn = last.contacts[0].normal_impulse_mn_s / last.step_s;
      CHECK(force_mn == within(0.4 * 0.05 * 9810.0, 1e-3));
      REQUIRE(result.phase_ends.size() == 1);
      CHECK(result.phase_ends[0].reason == PhaseEndReason::kDuration);
      CHECK(result.phase_ends[0].state.gripper.position_mm.x() == within(30.0, 1e-9));
    }
  }
}

TEST_CASE("a disc that an oblique finger pushes rolls or slides as its limit surface says") {
  // The finger's force (p, q) at (-R, 0) from the centre has the moment -R q, and the motion is
  // along the normal (p, q, -R q / c^2) of the ellipsoid.
  const double c = 2.0 * kRadius / 3.0;
  for (const Scenario& disc : disc_scenarios()) {
    for (const double mu_jaw : {0.05, 0.2, 0.5}) {
      for (const double along : {-15.0, -3.0, 8.0}) {
        constexpr double kPush = 10.0;
        const GripperTwist twist{{kPush, along}, 0.0};
        const Scenario scenario = with_program(disc, {move_held(twist, 1.6)});
        const TrialParameters trial = placed_at(-9.0 + 18.0, 60.0, mu_jaw, 0.3);
        const SimulationResult result = run(scenario, trial);
        const double rolls = along / kPush / (1.0 + kRadius * kRadius / (c * c));
        const double slope = std::clamp(rolls, -mu_jaw, mu_jaw);
        INFO("order " << disc.order << ", mu " << mu_jaw << ", along " << along);
        REQUIRE(result.left_touches == std::vector<int>{0});
        const Vec3 velocity = over_table(twist, result.final_state);
        CHECK(velocity[0] == within(kPush, 1e-5));
        CHECK(velocity[1] == within(kPush * slope, 1e-5));
        CHECK(velocity[2] == within(-kPush * kRadius * slope / (c * c), 1e-5));
      }
    }
  }
}

TEST_CASE("a pushed part turns as the majority of Mason's three rays says") {
  Random random(73);
  int checked = 0;
  for (int k = 0; k < 260; ++k) {
    Scenario scenario = disc_scenario(kRadius);
    if (k % 2 == 0) scenario = of_second_order(scenario);
    // Three to five points about the centre of mass, with the loads of statics.
    const int count = 3 + random.index(3);
    std::vector<Vec2> points;
    for (int j = 0; j < count; ++j) {
      points.push_back(random.uniform(6.0, 19.0) *
                       unit_vector(2.0 * kPi * (j + random.uniform(-0.3, 0.3)) / count));
    }
    const Vec2 center(random.uniform(-5.0, 5.0), random.uniform(-5.0, 5.0));
    const auto loads = static_loads(points, center);
    if (!loads) continue;
    PointsSupport support;
    for (int j = 0; j < count; ++j) {
      support.points.push_back({points[index(j)], (*loads)[index(j)], 1.0});
    }
    scenario.support = support;
    scenario.mass.center_of_mass_P_mm = center;
    const double mu_jaw = random.uniform(0.05, 0.6);
    const Vec2 push(3.0, random.uniform(-3.0, 3.0));
    // At the push's begin the contact is at the disc's leftmost point.
    const Vec2 arm = Vec2(-kRadius, 0.0) - center;
    int votes = 0;
    bool clear = true;
    for (const Vec2& ray : {push, Vec2(1.0, mu_jaw), Vec2(1.0, -mu_jaw)}) {
      const double moment_arm = cross(arm, ray.normalized());
      clear = clear && std::abs(moment_arm) > 0.5;
      votes += moment_arm > 0.0 ? 1 : -1;
    }
    if (!clear) continue;
    ++checked;
    const double gap_mm = 11.0;
    scenario.program = {move_held({push, 0.0}, (gap_mm + 0.4) / push.x())};
    TrialParameters trial = placed_at(0.0, 60.0, mu_jaw, 0.4);
    const SimulationResult result = run(scenario, trial);
    INFO("case " << k << ": mu " << mu_jaw << ", votes " << votes);
    REQUIRE(result.left_touches == std::vector<int>{0});
    CHECK(result.final_state.part_pose[2] * votes > 0.0);
    CHECK(result.final_state.part_velocity[2] * votes > 0.0);
  }
  CHECK(checked >= 100);
}

TEST_CASE("a part that is held while the gripper turns keeps its place in it") {
  for (const int order : {1, 2}) {
    Scenario scenario = bar_scenario(6.0, 15.0, 8.0);
    if (order == 2) scenario = of_second_order(scenario);
    Phase turn{.twist = {{15.0, 5.0}, 1.2}, .until = PhaseGoal::kDuration, .duration_s = 1.0};
    scenario.program = {close_until_stopped(), turn};
    TrialParameters trial = placed_at(1.0, 20.0, 0.3, 0.3);
    trial.theta_rad = 0.1;
    const SimulationResult result = run(scenario, trial);
    INFO("order " << order);
    CHECK(result.end == EndReason::kStopped);
    REQUIRE(result.phase_ends.size() == 2);
    const PhaseEnd& held = result.phase_ends[0];
    const PhaseEnd& turned = result.phase_ends[1];
    CHECK(held.reason == PhaseEndReason::kStopped);
    CHECK(turned.time_s - held.time_s == within(1.0, 1e-9));
    CHECK(turned.state.gripper.angle_rad == within(1.2, 1e-9));
    const Vec3 moved = turned.state.part_pose - held.state.part_pose;
    CHECK(moved.head<2>().norm() < 2e-3);  // where it is taken along, it slips by its inertia
    CHECK(std::abs(moved[2]) < 1e-6);
    CHECK(turned.state.part_velocity.norm() < 1e-4);
    CHECK(opening(turned.state) == within(12.0, 1e-4));
  }
}

TEST_CASE("jaws that are held go on to press on what they have gripped, and carry it") {
  for (const Scenario& disc : disc_scenarios()) {
    const Phase carry = move_held({{10.0, 30.0}, 0.5}, 0.8);
    const Scenario scenario = with_program(disc, {close_until_stopped(), carry});
    LastStep last;
    const SimulationResult result =
        run_to_last_step(scenario, placed_at(2.0, 30.0, 0.2, 0.3), last);
    INFO("order " << disc.order);
    REQUIRE(result.phase_ends.size() == 2);
    const State& gripped = result.phase_ends[0].state;
    const State& carried = result.phase_ends[1].state;
    // Friction of 4 N less that of the table brings 50 g along to 30 mm/s.
    const double slips_mm = 30.0 * 30.0 / (2.0 * (4000.0 - 147.0) / 0.05);
    CHECK((carried.part_pose - gripped.part_pose).head<2>().norm() < slips_mm);
    CHECK(carried.jaw_right_mm == within(gripped.jaw_right_mm, 2e-5));
    CHECK(carried.jaw_left_mm == within(gripped.jaw_left_mm, 2e-5));
    REQUIRE(last.contacts.size() == 2);
    for (const ContactRecord& contact : last.contacts) {
      CHECK(contact.normal_impulse_mn_s / last.step_s == within(10000.0, 500.0));
    }
  }
}

TEST_CASE("what held jaws carry slips no more than friction lets it, whatever the tolerance") {
  for (const double tolerance_mm : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Scenario scenario =
        with_program(of_second_order(disc_scenario(15.0), tolerance_mm),
                     {close_until_stopped(), move_held({{-42.0, 42.0}, 0.0}, 0.5)});
    const SimulationResult result = run(scenario, placed_at(0.0, 30.0, 0.2, 0.4));
    INFO("tolerance " << tolerance_mm);
    REQUIRE(result.phase_ends.size() == 2);
    const Vec2 slip =
        (result.phase_ends[1].state.part_pose - result.phase_ends[0].state.part_pose).head<2>();
    // Friction of 4 N less that of the table brings 50 g along to 42 mm/s.
    const double slips_mm = 42.0 * 42.0 / (2.0 * (4000.0 - 196.0) / 0.05);
    CHECK(slip.norm() < 1.05 * slips_mm);
  }
}

TEST_CASE("jaws that are held stay where they are, however hard the part meets them") {
  for (const Scenario& disc : disc_scenarios()) {
    Scenario heavy = disc;
    heavy.mass.mass_kg = 2.0;
    heavy.mass.inertia_kg_mm2 = 400.0;
    heavy.program = {move_held({{300.0, 0.0}, 0.0}, 0.2)};
    double most_mm = 0.0;
    const StepObserver observer = [&](const StepRecord& record) {
      most_mm = std::max(most_mm, std::abs(record.state->jaw_left_mm + 31.0));
    };
    const SimulationResult result = run(heavy, placed_at(0.0, 30.0, 0.2, 0.3), &observer);
    INFO("order " << disc.order);
    CHECK(result.left_touches == std::vector<int>{0});
    CHECK(most_mm < 1e-3);
    CHECK(result.final_state.part_pose[0] == within(-11.0, 1e-4));
  }
}

TEST_CASE("jaws that open leave a part at rest where it is") {
  for (const Scenario& disc : disc_scenarios()) {
    Scenario scenario = with_program(disc, {close_until_stopped(), open_to(60.0)});
    const SimulationResult result = run(scenario, placed_at(2.0, 30.0, 0.2, 0.3));
    INFO("order " << disc.order);
    CHECK(result.end == EndReason::kStopped);
    REQUIRE(result.phase_ends.size() == 2);
    CHECK(result.phase_ends[1].reason == PhaseEndReason::kOpening);
    const Vec3 moved = result.final_state.part_pose - result.phase_ends[0].state.part_pose;
    CHECK(moved.norm() < 1e-6);
    CHECK(opening(result.final_state) == within(60.0, 1e-9));
    CHECK(result.left_touches.empty());
    CHECK(result.right_touches.empty());
  }
}

TEST_CASE("a finger that moves takes along what it hits, in one inelastic impact") {
  for (const Scenario& disc : disc_scenarios()) {
    constexpr double kSpeed = 40.0;
    Phase push = move_held({{kSpeed, 0.0}, 0.0}, 2.0);
    push.until = PhaseGoal::kContact;
    double impulse = 0.0;
    const StepObserver observer = [&](const StepRecord& record) {
      for (const ContactRecord& contact : *record.contacts) impulse += contact.normal_impulse_mn_s;
    };
    const SimulationResult result =
        run(with_program(disc, {push}), placed_at(0.0, 30.0, 0.2, 0.0), &observer);
    INFO("order " << disc.order);
    REQUIRE(result.phase_ends.size() == 1);
    CHECK(result.phase_ends[0].reason == PhaseEndReason::kContact);
    const double slack_s = disc.order == 1 ? disc.step_s : 1e-4;
    CHECK(result.end_time_s == within(11.0 / kSpeed, slack_s));
    // A step of first order closes in it what is left of the gap.
    CHECK(result.final_state.part_velocity.norm() < (disc.order == 1 ? 5e-3 : 1e-3));
    CHECK(impulse == within(0.05 * kSpeed, 1e-3));
  }
}

TEST_CASE("a phase ends where contact is lost, and one that waits too long ends the trial") {
  for (const Scenario& disc : disc_scenarios()) {
    Phase back = move_held({{-10.0, 0.0}, 0.0}, 2.0);
    back.until = PhaseGoal::kContactLost;
    const Phase push = move_held({{1.0, 0.0}, 0.0}, 13.0);
    const TrialParameters trial = placed_at(0.0, 30.0, 0.2, 0.3);
    const SimulationResult result = run(with_program(disc, {push, back}), trial);
    INFO("order " << disc.order);
    CHECK(result.end == EndReason::kStopped);
    REQUIRE(result.phase_ends.size() == 2);
    CHECK(result.phase_ends[0].left_touches == std::vector<int>{0});
    CHECK(result.phase_ends[1].reason == PhaseEndReason::kContactLost);
    CHECK(result.phase_ends[1].left_touches.empty());
    const double waited = result.phase_ends[1].time_s - result.phase_ends[0].time_s;
    const double slides_mm = 0.5 * 1.0 * 1.0 / (0.3 * 9810.0);  // until the table has stopped it
    CHECK(waited >= (disc.stop.contact_gap_mm - slides_mm) / 10.0);
    CHECK(waited <= disc.stop.contact_gap_mm / 10.0 + disc.step_s);

    Phase up = move_held({{0.0, 200.0}, 0.0}, 0.7);
    up.until = PhaseGoal::kContact;
    const SimulationResult late = run(with_program(disc, {up, push}), trial);
    CHECK(late.end == EndReason::kTimeout);
    REQUIRE(late.phase_ends.size() == 1);
    CHECK(late.phase_ends[0].reason == PhaseEndReason::kTimeout);
    CHECK(late.end_time_s == within(0.7, disc.step_s));
  }
}

TEST_CASE("a bar that is squeezed twice, with a turn in between, ends along the gripper") {
  constexpr double kRate = 1.5;
  for (const int order : {1, 2}) {
    for (const double angle : {0.5 * kPi, 0.5 * kPi - 0.15}) {
      Scenario scenario = bar_scenario(6.0, 15.0, 16.0);
      if (order == 2) scenario = of_second_order(scenario);
      const double wide = scenario.gripper.opening_mm - 4.0;
      const Phase turn = move_held(turn_about({0.0, -40.0}, kRate), angle / kRate);
      scenario.program = {close_until_stopped(), open_to(wide), turn, close_until_stopped()};
      TrialParameters trial = placed_at(1.0, 40.0, 0.05, 0.3);
      trial.theta_rad = 0.3;
      const SimulationResult result = run(scenario, trial);
      INFO("order " << order << ", turn " << angle);
      CHECK(result.end == EndReason::kStopped);
      REQUIRE(result.phase_ends.size() == 4);
      const std::vector<PhaseEnd>& ends = result.phase_ends;
      CHECK(ends[0].state.part_pose[2] == within(0.0, 2e-4));
      CHECK(opening(ends[0].state) == within(12.0, 1e-3));
      CHECK(ends[2].state.gripper.angle_rad == within(angle, 1e-12));
      // The part rests on the table while the gripper turns.
      const Pose2 before = on_table(ends[1].state);
      const Pose2 after = on_table(ends[2].state);
      CHECK((before.position_mm - after.position_mm).norm() < 1e-9);
      CHECK(after.angle_rad == within(before.angle_rad, 1e-12));
      CHECK(ends[3].state.part_pose[2] == within(-0.5 * kPi, 2e-4));
      CHECK(opening(ends[3].state) == within(30.0, 1e-3));
      CHECK(on_table(ends[3].state).angle_rad == within(angle - 0.5 * kPi, 2e-4));
    }
  }
}

TEST_CASE("what nothing touches is skipped: k squeezes cost about k closings") {
  for (const int order : {1, 2}) {
    Random random(74);
    std::int64_t once = 0;
    std::int64_t thrice = 0;
    for (int k = 0; k < 30; ++k) {
      Scenario scenario = lock_piece_scenario();
      if (order == 2) scenario = of_second_order(scenario);
      const TrialParameters trial = lock_piece_trial(random);
      once += run(scenario, trial).statistics.newton_iterations;
      const Phase away = move_held({{0.0, 0.0}, 0.0}, 0.5);
      scenario.program = {close_until_stopped(), open_to(60.0), away,
                          close_until_stopped(), open_to(60.0), away,
                          close_until_stopped()};
      thrice += run(scenario, trial).statistics.newton_iterations;
    }
    INFO("order " << order << ": " << once << " iterations, " << thrice << " of three squeezes");
    CHECK(static_cast<double>(thrice) <= 3.6 * static_cast<double>(once));
  }
}

TEST_CASE("a free motion costs no step") {
  for (const Scenario& disc : disc_scenarios()) {
    const GripperTwist around = turn_about({0.0, -30.0}, 0.8);
    const Scenario scenario = with_program(disc, {move_held(around, 2.0), open_to(64.0)});
    std::vector<int> phases;
    const StepObserver observer = [&](const StepRecord& record) {
      phases.push_back(record.phase);
      CHECK(record.step_s == 0.0);
      const Pose2 part = on_table(*record.state);
      CHECK((part.position_mm - Vec2(0.0, -30.0)).norm() < 1e-12);
      CHECK(part.angle_rad == within(0.0, 1e-14));
    };
    const SimulationResult result = run(scenario, placed_at(0.0, 30.0, 0.2, 0.3), &observer);
    CHECK(result.statistics.steps == 0);
    CHECK(result.end_time_s > 2.0);
    CHECK(phases == std::vector<int>{0, 0, 1, 1});
  }
}

TEST_CASE("a program of a part of another size is the same program") {
  Random random(75);
  for (int k = 0; k < 6; ++k) {
    Scenario scenario = lock_piece_scenario();
    if (k % 2 == 1) scenario = of_second_order(scenario);
    const TrialParameters trial = lock_piece_trial(random);
    scenario.program = random_program(random, scenario.gripper.opening_mm);
    const SimulationResult result = run(scenario, trial);
    constexpr double kFactor = 0x1p-9;
    Scenario small = scenario;
    scale_lengths(kFactor, small);
    const SimulationResult scaled = run(small, in_units(trial, 1.0 / kFactor));
    CHECK(scaled.end == result.end);
    CHECK(scaled.end_time_s == result.end_time_s);
    REQUIRE(scaled.phase_ends.size() == result.phase_ends.size());
    for (std::size_t p = 0; p < result.phase_ends.size(); ++p) {
      const PhaseEnd& a = result.phase_ends[p];
      const PhaseEnd& b = scaled.phase_ends[p];
      CHECK(a.reason == b.reason);
      CHECK(same_bits(a.state, in_mm(b.state, 1.0 / kFactor)));
      CHECK(a.state.gripper.position_mm == Vec2(b.state.gripper.position_mm / kFactor));
      CHECK(a.state.gripper.angle_rad == b.state.gripper.angle_rad);
    }
  }
}

TEST_CASE("phases that cannot be are not legal") {
  CHECK(is_legal(Phase{}));
  CHECK(is_legal(open_to(30.0)));
  CHECK_FALSE(is_legal(Phase{.drive = JawDrive::kHold}));
  CHECK_FALSE(is_legal(Phase{.duration_s = -1.0}));
  CHECK_FALSE(is_legal(Phase{.duration_s = INFINITY}));
  CHECK_FALSE(is_legal(open_to(NAN)));
  CHECK_FALSE(is_legal(Phase{.twist = {{0.0, INFINITY}, 0.0}}));
}

TEST_CASE("in random programs of random parts no step fails and nothing overlaps") {
  Tally tally;
  for (const int order : {1, 2}) {
    for (const bool drawn : {false, true}) run_random_programs(order, drawn, 72, tally);
  }
  CHECK(tally.failed + tally.too_long == 0);
  CHECK(tally.steps > 5000);
}

TEST_CASE("in a thousand random programs no step fails", "[.][long]") {
  for (const int order : {1, 2}) {
    for (const bool drawn : {false, true}) {
      Tally tally;
      run_random_programs(order, drawn, 1000, tally);
      const StepLaws& laws = tally.laws;
      WARN("order " << order << (drawn ? ", drawn: " : ": ") << tally.failed << " failed, "
                    << tally.too_long << " too long, " << tally.steps << " steps, "
                    << tally.iterations << " iterations, least gap " << tally.worst_gap
                    << " units; drift " << laws.drift << ", kinematics " << laws.kinematics
                    << ", support limit " << laws.support_limit << ", power " << laws.support_power
                    << ", cone " << laws.cone);
    }
  }
}
