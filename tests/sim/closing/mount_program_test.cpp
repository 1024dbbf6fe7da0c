/// A gripper that gives way on its mount while the robot moves it, and obstacles on the table.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/closing/free_motion.hpp"
#include "sim/closing/length_unit.hpp"
#include "sim/closing/tolerances.hpp"
#include "tests/support/drawn_scenes.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/random_drawn_scenes.hpp"
#include "tests/support/random_mount.hpp"
#include "tests/support/random_parts.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/step_checker.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kGravity_m_s2 = 9.81;

/// A disc of 50 g that is gripped in the middle, and then a phase.
Scenario gripped(const Mount& mount, const Phase& phase, int order) {
  Scenario scenario = disc_scenario(15.0);
  scenario.gripper.mount = mount;
  scenario.program = {close_until_stopped(), phase};
  return order == 2 ? of_second_order(scenario, 0.001) : scenario;
}

/// The end of the last phase, which must be its own.
State end_of(const Scenario& scenario, const TrialParameters& trial) {
  const SimulationResult result = run(scenario, trial);
  REQUIRE(result.end == EndReason::kStopped);
  return result.final_state;
}

}  // namespace

TEST_CASE("a part that is dragged lags behind by friction over the mount's stiffness") {
  constexpr double kMu = 0.5;
  const Vec2 velocity(12.0, 5.0);
  for (const int order : {1, 2}) {
    const Scenario scenario = gripped({2.0, kRigid, 0.02}, move_held({velocity, 0.0}, 1.0), order);
    const State end = end_of(scenario, placed_at(0.0, 5.0, 0.5, kMu));
    const double force_n = kMu * scenario.mass.mass_kg * kGravity_m_s2;
    const Vec2 lag = -force_n / 2.0 * velocity.normalized();
    INFO("order " << order);
    CHECK((end.mount.head<2>() - lag).norm() < 1e-4);
    CHECK(end.mount[2] == 0.0);
    CHECK((end.gripper.position_mm - velocity - lag).norm() < 1e-4);
  }
}

TEST_CASE("a part that is turned on the spot turns the gripper back by its friction's moment") {
  constexpr double kMu = 0.5;
  constexpr double kStiffness = 1000.0;  // N mm
  const Vec2 center(0.0, -5.0);
  for (const int order : {1, 2}) {
    const Scenario scenario =
        gripped({kRigid, kStiffness, 0.02}, move_held(turn_about(center, 0.8), 1.0), order);
    const State end = end_of(scenario, placed_at(0.0, 5.0, 0.5, kMu));
    const double e_r_mm = std::get<EllipsoidSupport>(scenario.support).e_r_mm;
    const double moment = kMu * scenario.mass.mass_kg * kGravity_m_s2 * e_r_mm;
    INFO("order " << order);
    CHECK(end.mount[2] == within(-moment / kStiffness, 1e-4));
    CHECK(end.mount.head<2>() == Vec2::Zero());
    CHECK(end.gripper.angle_rad == within(0.8 + end.mount[2], 1e-12));
  }
}

TEST_CASE("a part that is pressed against a wall bends the mount, and goes back with it") {
  // From 3 mm before the wall by 5 mm, and back.
  const Vec2 up(0.0, 10.0);
  for (const int order : {1, 2}) {
    Scenario scenario = gripped({2.0, 1e4, 0.02}, move_held({up, 0.0}, 0.5), order);
    scenario.obstacles = {{"wall", {rectangle_loop(60.0, 10.0, {0.0, 18.0}), {}}, 0.0}};
    const TrialParameters trial = placed_at(0.0, 5.0, 0.5, 0.0);
    double push_n = 0.0;
    const StepObserver observer = [&](const StepRecord& record) {
      for (const ContactRecord& contact : *record.contacts) {
        if (contact.obstacle != 0 || record.step_s == 0.0) continue;
        push_n = contact.normal_impulse_mn_s / record.step_s / 1000.0;
      }
    };
    const SimulationResult pressed = run(scenario, trial, &observer);
    INFO("order " << order);
    REQUIRE(pressed.end == EndReason::kStopped);
    CHECK(pressed.blocking_obstacle == -1);
    CHECK(pressed.obstacle_touches == std::vector<std::vector<int>>{{0}});
    CHECK(pressed.final_state.mount[1] == within(-2.0, 0.01));
    // Springs by 2 mm, and dampers, since the arm goes on.
    CHECK(push_n == within(2.0 * 2.0 + 2.0 * 0.02 * 10.0, 0.02));
    CHECK(on_table(pressed.final_state).position_mm.y() == within(-2.0, 1e-6));
    scenario.program.push_back(move_held({-up, 0.0}, 0.5));
    const State back = end_of(scenario, trial);
    CHECK(back.mount.norm() < 1e-6);
    CHECK(back.gripper.position_mm.norm() < 1e-6);
  }
}

TEST_CASE("a mount of vanishing compliance gives the rigid program at first order") {
  const auto program = [](Scenario scenario) {
    scenario.program = {close_until_stopped(), move_held({{30.0, -20.0}, 0.7}, 0.6), open_to(50.0),
                        move_held({{0.0, 25.0}, 0.0}, 0.4), close_until_stopped()};
    scenario.obstacles = {{"pin", {rectangle_loop(4.0, 4.0, {60.0, 60.0}), {}}, 0.0}};
    return scenario;
  };
  const TrialParameters trial = placed_at(-2.0, 12.0, 0.4, 0.5);
  for (const int order : {1, 2}) {
    Scenario scenario = program(disc_scenario(15.0));
    if (order == 2) scenario = of_second_order(scenario);
    const SimulationResult rigid = run(scenario, trial);
    REQUIRE(rigid.end == EndReason::kStopped);
    scenario.gripper.mount = Mount{kRigid, kRigid, 0.02};
    const SimulationResult stiff = run(scenario, trial);
    INFO("order " << order);
    REQUIRE(stiff.phase_ends.size() == rigid.phase_ends.size());
    for (std::size_t k = 0; k < rigid.phase_ends.size(); ++k) {
      const State& a = stiff.phase_ends[k].state;
      const State& b = rigid.phase_ends[k].state;
      CHECK((a.part_pose - b.part_pose).norm() < 1e-9);
      CHECK((a.gripper.position_mm - b.gripper.position_mm).norm() < 1e-12);
      CHECK(a.gripper.angle_rad == within(b.gripper.angle_rad, 1e-12));
    }
    // Where it has been carried to, on the table. Steps of second order begin to slip in the held
    // jaws at other times, by less than their tolerance but more than the compliance.
    if (order == 2) continue;
    const Vec2 there = on_table(rigid.phase_ends[1].state).position_mm;
    double last = 0.0;
    for (const double stiffness : {20.0, 80.0, 320.0}) {
      scenario.gripper.mount = Mount{stiffness, 200.0 * stiffness, 0.01};
      const SimulationResult soft = run(scenario, trial);
      REQUIRE(soft.end == EndReason::kStopped);
      const double off = (on_table(soft.phase_ends[1].state).position_mm - there).norm();
      INFO(stiffness << ": " << off);
      if (last > 0.0) CHECK(std::log2(last / off) == within(2.0, 0.3));
      last = off;
    }
  }
}

TEST_CASE("a gripper that lets go swings back on its mount while the part stays on the table") {
  for (const int order : {1, 2}) {
    Scenario scenario = disc_scenario(15.0);
    scenario.mass = {1000.0, {0.0, 0.0}, 1e5};  // nothing moves it
    scenario.stop.stopped_speed_mm_s = 1e-4;
    scenario.gripper.mount = Mount{10.0, 2000.0, 0.05};
    scenario.program = {close_until_stopped(), open_to(50.0)};
    if (order == 2) scenario = of_second_order(scenario, 0.0005);
    const TrialParameters trial = placed_at(-4.0, 5.0, 0.0, 5.0);
    // Records without a step: a phase begins, or free motion has been skipped.
    std::vector<std::pair<double, State>> jumps;
    double last_s = 0.0;
    State last;
    const StepObserver observer = [&](const StepRecord& record) {
      const bool skipped = record.step_s == 0.0 && record.time_s > last_s && record.phase == 1;
      if (skipped && last.mount != Vec3::Zero()) {
        const double share = std::exp(-(record.time_s - last_s) / 0.05);
        CHECK((record.state->mount - share * last.mount).norm() < 1e-12);
        CHECK((on_table(*record.state).position_mm - on_table(last).position_mm).norm() < 1e-9);
        jumps.emplace_back(record.time_s, *record.state);
      }
      last_s = record.time_s;
      last = *record.state;
    };
    const SimulationResult result = run(scenario, trial, &observer);
    INFO("order " << order);
    REQUIRE(result.end == EndReason::kStopped);
    const Vec3& deflected = result.phase_ends[0].state.mount;
    CHECK(deflected[0] == within(2.0 * std::cos(deflected[2]), 1e-3));
    CHECK(result.final_state.mount.norm() < 0.1);
    CHECK(jumps.size() == 1);
    // By the error of the steps in a G that turns.
    CHECK((on_table(result.final_state).position_mm - Vec2(4.0, -5.0)).norm() < 2e-3);
  }
}

TEST_CASE("a gripper that its part moves aside meets an obstacle there") {
  // The part is off the middle and moves the gripper by 20 N over the stiffness, to the right.
  for (const int order : {1, 2}) {
    for (const double stiffness : {kRigid, 100.0, 10.0}) {
      Scenario scenario = disc_scenario(15.0);
      scenario.mass = {1000.0, {0.0, 0.0}, 1e5};
      scenario.gripper.mount = Mount{stiffness, kRigid, 0.01};
      scenario.gripper.palm = Outline{rectangle_loop(80.0, 10.0, {0.0, 30.0}), {}};
      scenario.obstacles = {{"pin", {rectangle_loop(10.0, 10.0, {46.0, 30.0}), {}}, 0.0}};
      if (order == 2) scenario = of_second_order(scenario, 0.001);
      const SimulationResult result = run(scenario, placed_at(-4.0, 5.0, 0.0, 5.0));
      INFO("order " << order << ", stiffness " << stiffness);
      if (stiffness < 20.0) {
        CHECK(result.end == EndReason::kBlocked);
        CHECK(result.blocking_obstacle == 0);
        CHECK(result.final_state.gripper.position_mm.x() == within(1.0, 0.3));
      } else {
        CHECK(result.end == EndReason::kStopped);
        CHECK(result.final_state.gripper.position_mm.x() == within(20.0 / stiffness, 1e-3));
      }
    }
  }
}

TEST_CASE("a mount lets a wedged part be, which stops a rigid gripper") {
  constexpr double kAlpha = 0.5;
  const double mu = 1.1 * std::tan(0.5 * kAlpha);
  const Vec2 center(0.0, -24.99);
  const Vec2 wall = center - 17.0 * Vec2(std::sin(kAlpha), -std::cos(kAlpha));
  for (const int order : {1, 2}) {
    Scenario scenario = disc_scenario(15.0);
    set_fingers(scenario.gripper, Outline{rectangle_loop(4.0, 30.0, {2.0, -15.0}), {}});
    scenario.gripper.opening_mm = 160.0;
    scenario.gripper.palm = Outline{rectangle_loop(80.0, 10.0, {0.0, -45.0}), {}};
    OutlineLoop loop;
    for (const Vec2& corner : {Vec2(-30, 0), Vec2(-30, -40), Vec2(30, -40), Vec2(30, 0)}) {
      loop.push_back({wall + Rotation2(std::numbers::pi + kAlpha) * corner, 0.0, ""});
    }
    scenario.obstacles = {{"wall", {loop, {}}, kFrictionOfTrial}};
    scenario.program = {move_held({{0.0, 20.0}, 0.0}, 0.4)};
    if (order == 2) scenario = of_second_order(scenario);
    const TrialParameters trial = placed_at(-center.x(), -center.y(), mu, 0.1);
    INFO("order " << order);
    CHECK(run(scenario, trial).end == EndReason::kBlocked);
    scenario.gripper.mount = Mount{20.0, 1e5, 0.02};
    const SimulationResult soft = run(scenario, trial);
    CHECK(soft.end == EndReason::kStopped);
    CHECK(soft.blocking_obstacle == -1);
    CHECK(soft.final_state.mount[1] < -3.0);
    // A mount that gives way in no direction that matters holds as a rigid one does.
    scenario.gripper.mount = Mount{kRigid, 1e9, 0.02};
    CHECK(run(scenario, trial).end == EndReason::kBlocked);
  }
}

TEST_CASE("steps of a moving gripper on a mount obey the laws of a step, and gain no energy") {
  for (const int order : {1, 2}) {
    for (const bool drawn : {false, true}) {
      StepLaws all;
      int against = 0;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Scenario scenario;
        TrialParameters trial;
        if (drawn) {
          const auto kind = static_cast<OutlineKind>(seed % kOutlineKinds.size());
          scenario = random_outline_scenario(random, kind, FingerKind::kRoundTips);
          trial = random_outline_trial(random, scenario);
        } else {
          scenario = random_scenario(random);
          trial = random_trial(random);
        }
        trial.mu_jaw = std::min(trial.mu_jaw, 1.0);
        scenario.gripper.mount = random_mount(random);
        scenario.program = random_program(random, scenario.gripper.opening_mm);
        if (drawn) {
          const double reach = bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
          const double y = initial_state(scenario, trial).part_pose.y() + reach + 3.0;
          scenario.obstacles = {{"wall", {rectangle_loop(500.0, 20.0, {0.0, y + 10.0}), {}}}};
        }
        if (order == 2) scenario = of_second_order(scenario, 0.02);
        const double unit_mm = length_unit_mm(scenario);
        StepChecker checker(scenario, trial, drawn ? StepChecks::kCheap : StepChecks::kAll);
        double worst = 0.0;
        bool pushes = false;
        const StepObserver observer = [&](const StepRecord& record) {
          checker(record);
          if (record.step_s == 0.0) return;
          worst = std::min(worst, smallest_gap_mm(scenario, *record.state));
          for (const ContactRecord& contact : *record.contacts) {
            pushes = pushes || (contact.obstacle == 0 && contact.normal_impulse_mn_s > 0.0);
          }
        };
        const SimulationResult result = run(scenario, trial, &observer);
        const StepLaws& laws = checker.laws();
        INFO("order " << order << (drawn ? ", drawn" : "") << ", seed " << seed << ": "
                      << describe(trial));
        CHECK(result.end != EndReason::kFailed);
        CHECK(result.end != EndReason::kTooLong);
        CHECK(laws.finite);
        CHECK(laws.kinematics < 1e-7);
        CHECK(laws.drift < 1e-6);
        CHECK(laws.momentum < 1e-5);
        CHECK(worst >= -1e-8 * unit_mm - 1e-13);
        merge(laws, all);
        against += pushes ? 1 : 0;
      }
      INFO("order " << order);
      if (drawn) CHECK(against > 5);
      CHECK(all.record < 1e-6);
    }
  }
}
