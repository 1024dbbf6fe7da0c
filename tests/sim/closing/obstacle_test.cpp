/// Obstacles that are fixed to the table, and jaws that are fixed in G.

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/closing/length_unit.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/random_drawn_scenes.hpp"
#include "tests/support/step_checker.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kDiscRadius = 15.0;

Obstacle obstacle(const std::string& name, const OutlineLoop& loop, double mu = kFrictionOfTrial) {
  return {name, {loop, {}}, mu};
}

/// A block of 60 mm by 40 mm whose face has its middle at a point and lies to the right of the
/// direction `along`, as seen along it.
Obstacle wall(const Vec2& middle, double along_rad, double mu = kFrictionOfTrial) {
  const Rotation2 R(along_rad);
  OutlineLoop loop;
  for (const Vec2& corner : {Vec2(-30, 0), Vec2(-30, -40), Vec2(30, -40), Vec2(30, 0)}) {
    loop.push_back({middle + R * corner, 0.0, ""});
  }
  return obstacle("wall", loop, mu);
}

/// Two thin fingers of some length, and a disc between them.
Scenario thin_fingers(int order, double opening_mm = 60.0) {
  Scenario scenario = disc_scenario(kDiscRadius);
  set_fingers(scenario.gripper, Outline{rectangle_loop(4.0, 30.0, {2.0, -15.0}), {}});
  scenario.gripper.opening_mm = opening_mm;
  return order == 2 ? of_second_order(scenario) : scenario;
}

}  // namespace

TEST_CASE("an obstacle before a gripper at rest is a palm, bit for bit") {
  int touched = 0;
  for (const int order : {1, 2}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const auto kind = static_cast<OutlineKind>(seed % kOutlineKinds.size());
      Scenario scenario = random_outline_scenario(random, kind, FingerKind::kGroovesAndPalm);
      const TrialParameters trial = random_outline_trial(random, scenario);
      // Just below the part's lowest corner.
      const Pose2 X_GP = part_pose_in_gripper(scenario, initial_state(scenario, trial));
      Vec2 lowest(0.0, 1e3);
      for (const OutlineElement& element : scenario.part.outlines[0].outline.outer) {
        const Vec2 corner = transform(X_GP, element.begin_mm);
        if (corner.y() < lowest.y()) lowest = corner;
      }
      scenario.gripper.palm = Outline{rectangle_loop(6.0, 20.0, lowest - Vec2(0.0, 10.02)), {}};
      if (order == 2) scenario = of_second_order(scenario, 0.02);
      const SimulationResult palm = run(scenario, trial);
      scenario.obstacles = {{"palm", *scenario.gripper.palm, kFrictionOfTrial}};
      scenario.gripper.palm.reset();
      const SimulationResult result = run(scenario, trial);
      INFO("order " << order << ", seed " << seed);
      if (result.blocking_obstacle >= 0) continue;  // a finger would be in the way
      CHECK(result.end == palm.end);
      if (result.end == EndReason::kBlocked) continue;
      // A drive and a stop of the jaws that stand on the palm alone are contacts with the gripper.
      if (palm.right_touches.empty() && palm.left_touches.empty()) continue;
      CHECK(same_bits(result.final_state, palm.final_state));
      REQUIRE(result.obstacle_touches.size() == 1);
      CHECK(result.obstacle_touches[0] == palm.palm_touches);
      touched += palm.palm_touches.empty() ? 0 : 1;
    }
  }
  CHECK(touched > 5);
}

TEST_CASE("a disc that a finger pushes along an inclined wall without friction goes along it") {
  // The gripper moves to the right, or it rests and its left jaw closes: the disc is to the right
  // of the left finger, below a wall that comes down at an angle.
  for (const int order : {1, 2}) {
    for (const double slope : {0.3, 0.7, 1.0}) {
      for (const bool moves : {true, false}) {
        Scenario scenario = thin_fingers(order, 160.0);
        set_fingers(scenario.gripper, Outline{rectangle_loop(4.0, 30.0, {2.0, -45.0}), {}});
        scenario.gripper.coupling = Coupling::kLeftMoves;
        const double y0 = -40.0;
        const double x0 = -60.0;
        // The wall touches the disc's way 5 mm before the disc is there.
        const Vec2 normal(-std::sin(slope), -std::cos(slope));  // out of the wall
        const Vec2 middle = Vec2(x0 + 5.0, y0) - kDiscRadius * normal;
        scenario.obstacles = {wall(middle, std::numbers::pi - slope)};
        scenario.program = {moves ? move_held({.velocity_mm_s = {25.0, 0.0}}, 0.72)
                                  : Phase{.until = PhaseGoal::kDuration, .duration_s = 0.4}};
        const SimulationResult result = run(scenario, placed_at(-x0, -y0, 0.0, 0.3));
        INFO("order " << order << ", slope " << slope << (moves ? ", moving" : ", closing"));
        REQUIRE(result.end == EndReason::kStopped);
        const Vec2 center = on_table(result.final_state).position_mm;
        const double finger = moves ? -80.0 + 25.0 * 0.72 : result.final_state.jaw_left_mm;
        CHECK(center.x() == within(finger + kDiscRadius, moves ? 1e-3 : 1e-6));
        CHECK(normal.dot(center - Vec2(x0 + 5.0, y0)) == within(0.0, 1e-6));
        CHECK(result.obstacle_touches == std::vector<std::vector<int>>{{0}});
      }
    }
  }
}

TEST_CASE("one jaw is fixed in the gripper") {
  for (const int order : {1, 2}) {
    for (const bool right : {true, false}) {
      Scenario scenario = thin_fingers(order);
      scenario.gripper.coupling = right ? Coupling::kRightMoves : Coupling::kLeftMoves;
      const SimulationResult result = run(scenario, placed_at(0.0, 15.0, 0.2, 0.3));
      CHECK(result.end == EndReason::kStopped);
      const State& end = result.final_state;
      const double sign = right ? 1.0 : -1.0;
      CHECK((right ? end.jaw_left_mm : end.jaw_right_mm) == -sign * 30.0);
      CHECK(end.part_pose.x() == within(-sign * (30.0 - kDiscRadius), 1e-3));
      CHECK(end.jaw_right_mm - end.jaw_left_mm == within(2.0 * kDiscRadius, 1e-3));
      CHECK(result.right_touches == std::vector<int>{0});
      CHECK(result.left_touches == std::vector<int>{0});
    }
  }
  SECTION("the mirror image of a trial is that of the mirrored trial") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      Random random(seed);
      Scenario scenario = thin_fingers(2);
      scenario.gripper.coupling = Coupling::kRightMoves;
      const TrialParameters trial =
          placed_at(random.uniform(-10.0, 10.0), random.uniform(5.0, 28.0), 0.3, 0.3);
      const State a = run(scenario, trial).final_state;
      scenario.gripper.coupling = Coupling::kLeftMoves;
      TrialParameters mirrored_trial = trial;
      mirrored_trial.placement_x_mm *= -1.0;
      const State b = run(scenario, mirrored_trial).final_state;
      INFO("seed " << seed);
      CHECK(a.part_pose.x() == within(-b.part_pose.x(), 1e-9));
      CHECK(a.part_pose.y() == within(b.part_pose.y(), 1e-9));
      CHECK(a.jaw_right_mm == within(-b.jaw_left_mm, 1e-9));
    }
  }
  SECTION("a closing from far is one from near, later") {
    Scenario scenario = thin_fingers(2);
    scenario.gripper.coupling = Coupling::kRightMoves;
    std::vector<double> steps;
    const StepObserver observer = [&](const StepRecord& r) { steps.push_back(r.step_s); };
    CHECK(run(scenario, placed_at(0.0, 15.0, 0.0, 0.3), &observer).end == EndReason::kStopped);
    REQUIRE(steps.size() > 3);
    CHECK(steps[1] == 0.0);  // free travel was skipped
  }
}

TEST_CASE("an obstacle in the way blocks a trial, and is named") {
  for (const int order : {1, 2}) {
    const Scenario plain = thin_fingers(order);
    const TrialParameters trial = placed_at(0.0, 15.0, 0.2, 0.3);
    const Obstacle far_pin = obstacle("far pin", rectangle_loop(4.0, 4.0, {0.0, 70.0}));
    const auto run_with = [&](const Obstacle& second, const GripperProgram& program = {}) {
      Scenario scenario = plain;
      scenario.obstacles = {far_pin, second};
      scenario.program = program;
      return run(scenario, trial);
    };
    SECTION("a part that overlaps it at the start") {
      const SimulationResult result =
          run_with(obstacle("pin", rectangle_loop(4.0, 4.0, {0.0, -1.0})));
      CHECK(result.end == EndReason::kBlocked);
      CHECK(result.blocking_obstacle == 1);
      CHECK(result.end_time_s == 0.0);
      CHECK(result.statistics.steps == 0);
    }
    SECTION("a part that encloses it, or that it encloses, at the start") {
      CHECK(run_with(obstacle("pin", rectangle_loop(4.0, 4.0, {0.0, -15.0}))).blocking_obstacle ==
            1);
      CHECK(
          run_with(obstacle("nest", rectangle_loop(40.0, 40.0, {0.0, -15.0}))).blocking_obstacle ==
          1);
    }
    SECTION("a finger that overlaps it at the start") {
      const SimulationResult result =
          run_with(obstacle("pin", rectangle_loop(4.0, 4.0, {31.0, -10.0})));
      CHECK(result.end == EndReason::kBlocked);
      CHECK(result.blocking_obstacle == 1);
    }
    SECTION("a finger that meets it as it closes freely") {
      const SimulationResult result =
          run_with(obstacle("pin", rectangle_loop(2.0, 2.0, {22.0, -28.0})));
      CHECK(result.end == EndReason::kBlocked);
      CHECK(result.blocking_obstacle == 1);
      CHECK(result.final_state.jaw_right_mm == within(23.0, 0.3));
      CHECK(result.end_time_s > 0.1);
    }
    SECTION("a gripper that moves into it, however thin it is") {
      const GripperProgram program = {
          move_held({.velocity_mm_s = {0.0, 100.0}}, 1.0),
          {},
      };
      const SimulationResult result =
          run_with(obstacle("pin", rectangle_loop(10.0, 0.1, {33.0, 20.0})), program);
      CHECK(result.end == EndReason::kBlocked);
      CHECK(result.blocking_obstacle == 1);
      CHECK(result.final_state.gripper.position_mm.y() == within(19.95, 0.3));
      REQUIRE(result.phase_ends.size() == 1);
      CHECK(result.phase_ends[0].reason == PhaseEndReason::kBlocked);
    }
    SECTION("a part that rests on it does not") {
      const SimulationResult result =
          run_with(obstacle("seat", rectangle_loop(20.0, 10.0, {0.0, -35.0})));
      CHECK(result.end == EndReason::kStopped);
      CHECK(result.blocking_obstacle == -1);
      CHECK(result.obstacle_touches == std::vector<std::vector<int>>{{}, {0}});
    }
  }
}

TEST_CASE("a palm wedges a disc against a wall up to twice the angle of friction") {
  // Between two faces at an angle alpha a disc slips out where tan(alpha / 2) > mu.
  for (const int order : {1, 2}) {
    for (const double alpha : {0.2, 0.5, 0.7}) {
      for (const double factor : {0.9, 1.1}) {
        Scenario scenario = thin_fingers(order, 160.0);
        scenario.gripper.palm = Outline{rectangle_loop(80.0, 10.0, {0.0, -45.0}), {}};
        const double mu = factor * std::tan(0.5 * alpha);
        const Vec2 center(0.0, -25.0 + 0.01);
        // The wall faces down, and is 2 mm away.
        const Vec2 normal(std::sin(alpha), -std::cos(alpha));
        scenario.obstacles = {
            wall(center - (kDiscRadius + 2.0) * normal, std::numbers::pi + alpha)};
        scenario.program = {move_held({.velocity_mm_s = {0.0, 20.0}}, 0.4)};
        const TrialParameters trial = placed_at(-center.x(), -center.y(), mu, 0.1);
        const SimulationResult result = run(scenario, trial);
        INFO("order " << order << ", alpha " << alpha << ", mu " << mu);
        if (factor > 1.0) {
          CHECK(result.end == EndReason::kBlocked);
          CHECK(result.blocking_obstacle == 0);
          // It has come up by 0.01 mm and then to the wall.
          CHECK(result.final_state.gripper.position_mm.y() ==
                within(0.01 + 2.0 / std::cos(alpha), 0.02));
        } else {
          CHECK(result.end == EndReason::kStopped);
          CHECK(on_table(result.final_state).position_mm.x() > center.x() + 3.0);
        }
      }
    }
  }
}

TEST_CASE("obstacles about the part go along with its placement") {
  for (const int order : {1, 2}) {
    Random random(static_cast<std::uint64_t>(order));
    for (int k = 0; k < 10; ++k) {
      Scenario scenario = thin_fingers(order, 70.0);
      TrialParameters trial =
          placed_at(random.uniform(-8.0, 8.0), random.uniform(10.0, 20.0), 0.2, 0.3);
      trial.theta_rad = random.uniform(-0.5, 0.5);
      const Obstacle seat = obstacle("seat", rectangle_loop(16.0, 10.0, {0.0, -20.3}), 0.1);
      scenario.obstacles = {seat};
      scenario.table = TableFrame::kPart;
      const SimulationResult result = run(scenario, trial);
      // The same, with the obstacle given where the part is in G.
      const Pose2 X_GP{{-trial.placement_x_mm, -trial.placement_y_mm}, trial.theta_rad};
      scenario.obstacles = {{"seat", placed(seat.outline, X_GP), 0.1}};
      scenario.table = TableFrame::kGripper;
      const SimulationResult in_gripper = run(scenario, trial);
      INFO("order " << order << ", trial " << k);
      CHECK(result.end == in_gripper.end);
      CHECK(result.blocking_obstacle == in_gripper.blocking_obstacle);
      CHECK((result.final_state.part_pose - in_gripper.final_state.part_pose).norm() < 1e-6);
      CHECK(result.obstacle_touches == in_gripper.obstacle_touches);
      const Pose2 back = compose(result.final_state.gripper, X_GP);
      CHECK(back.position_mm.norm() < 1e-12);
    }
  }
}

TEST_CASE("steps with obstacles and a moving gripper obey the laws of a step") {
  for (const int order : {1, 2}) {
    StepLaws all;
    int against = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Random random(seed);
      const auto kind = static_cast<OutlineKind>(seed % kOutlineKinds.size());
      Scenario scenario = random_outline_scenario(random, kind, FingerKind::kRoundTips);
      TrialParameters trial = random_outline_trial(random, scenario);
      trial.mu_jaw = 0.3;
      const double reach = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
      const State start = initial_state(scenario, trial);
      const double y = start.part_pose.y() + reach + random.uniform(1.0, 5.0);
      scenario.obstacles = {wall({0.0, y}, std::numbers::pi + random.uniform(-0.1, 0.1), 0.3)};
      GripperTwist twist{{random.uniform(-20.0, 20.0), random.uniform(10.0, 40.0)}, 0.0};
      if (random.index(2) == 0) twist.turn_rad_s = random.uniform(-0.6, 0.6);
      scenario.program = {{}, move_held(twist, 0.6)};
      scenario.gripper.coupling = static_cast<Coupling>(seed % 4);
      if (order == 2) scenario = of_second_order(scenario, 0.02);
      const double unit_mm = length_unit_mm(scenario);
      StepChecker checker(scenario, trial, StepChecks::kCheap);
      double worst = 0.0;
      bool pushes = false;
      const StepObserver observer = [&](const StepRecord& record) {
        if (record.step_s == 0.0) return;
        worst = std::min(worst, smallest_gap_mm(scenario, *record.state));
        for (const ContactRecord& contact : *record.contacts) {
          pushes = pushes || (contact.obstacle == 0 && contact.normal_impulse_mn_s > 0.0);
        }
        checker(record);
      };
      const SimulationResult result = run(scenario, trial, &observer);
      const StepLaws& laws = checker.laws();
      INFO("order " << order << ", seed " << seed << ": " << describe(trial));
      CHECK(result.end != EndReason::kFailed);
      CHECK(result.end != EndReason::kTooLong);
      CHECK(laws.finite);
      CHECK(laws.symmetric);
      CHECK(laws.kinematics < 1e-7);
      CHECK(laws.drift < 1e-6);
      CHECK(worst >= -1e-8 * unit_mm - 1e-13);
      merge(laws, all);
      against += pushes ? 1 : 0;
    }
    INFO("order " << order);
    CHECK(against > 10);
    CHECK(all.record < 1e-6);
  }
}

TEST_CASE("a trial with obstacles of another size is the same trial") {
  Scenario scenario = thin_fingers(2);
  scenario.obstacles = {obstacle("seat", rectangle_loop(20.0, 10.0, {1.0, -35.5}), 0.2)};
  scenario.program = {move_held({.velocity_mm_s = {0.0, -3.0}}, 0.3), {}};
  const TrialParameters trial = placed_at(1.0, 15.0, 0.2, 0.3);
  const SimulationResult result = run(scenario, trial);
  CHECK(result.end == EndReason::kStopped);
  constexpr double kFactor = 0x1p-9;
  scale_lengths(kFactor, scenario);
  const SimulationResult small = run(scenario, in_units(trial, 1.0 / kFactor));
  CHECK(same_bits(result.final_state, in_mm(small.final_state, 1.0 / kFactor)));
}
