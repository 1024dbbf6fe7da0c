#include "grasp/sweep/trials/trial.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/success_rules.hpp"

namespace graspmap {
namespace {

using testing::pieces;

SimulationResult ended(EndReason end, std::vector<int> left, std::vector<int> right) {
  SimulationResult result;
  result.end = end;
  result.left_touches = std::move(left);
  result.right_touches = std::move(right);
  return result;
}

/// The rules before there were poses.
Outcome classify(const SimulationResult& result, const std::vector<SuccessAlternative>& success) {
  return graspmap::classify(result, Pose2{}, success);
}

const std::vector<SuccessAlternative> kTeeth = {{pieces({1}), pieces({6})}};

TEST_CASE("a simulation that failed or was blocked keeps that outcome whatever it touches") {
  CHECK(classify(ended(EndReason::kFailed, {1}, {6}), kTeeth) == Outcome::kFailed);
  CHECK(classify(ended(EndReason::kBlocked, {1}, {6}), kTeeth) == Outcome::kBlocked);
}

TEST_CASE("success needs the listed pieces on the listed jaws, and allows others") {
  CHECK(classify(ended(EndReason::kStopped, {1}, {6}), kTeeth) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {0, 1, 2}, {5, 6}), kTeeth) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {6}, {1}), kTeeth) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {1}, {5}), kTeeth) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {2}, {6}), kTeeth) == Outcome::kWedged);
}

TEST_CASE("every piece of an alternative must be touched, any alternative suffices") {
  const std::vector<SuccessAlternative> either = {{pieces({1, 2}), pieces({6})},
                                                  {pieces({0}), pieces({0})}};
  CHECK(classify(ended(EndReason::kStopped, {1, 2}, {6}), either) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {1}, {6}), either) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {0}, {0, 6}), either) == Outcome::kSuccess);
}

TEST_CASE("a rule may ask for one jaw only") {
  const std::vector<SuccessAlternative> left_only = {{pieces({1}), {}}};
  CHECK(classify(ended(EndReason::kStopped, {1}, {}), left_only) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {}, {1}), left_only) == Outcome::kMissed);
}

TEST_CASE("jaws that closed have missed, even when they touch what success asks for") {
  CHECK(classify(ended(EndReason::kClosed, {1}, {6}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kClosed, {}, {}), kTeeth) == Outcome::kMissed);
}

TEST_CASE("one jaw on the part, or none, is a miss") {
  CHECK(classify(ended(EndReason::kStopped, {0}, {}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kStopped, {}, {0}), kTeeth) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kTimeout, {}, {}), kTeeth) == Outcome::kTimeout);
}

TEST_CASE("a timeout with both jaws on the part is a success or a timeout, never wedged") {
  CHECK(classify(ended(EndReason::kTimeout, {0}, {0}), kTeeth) == Outcome::kTimeout);
  CHECK(classify(ended(EndReason::kTimeout, {1}, {6}), kTeeth) == Outcome::kSuccess);
}

/// The outcome of jaws that stopped with the part between them at a pose.
Outcome outcome_at(const Pose2& pose, const SuccessAlternative& rule) {
  return graspmap::classify(ended(EndReason::kStopped, {0}, {0}), pose, {rule});
}

Outcome outcome_at_angle(double theta_rad, const SuccessAlternative& rule) {
  return outcome_at({{0, 0}, theta_rad}, rule);
}

TEST_CASE("a target holds when any of its features is touched, and all targets must hold") {
  const SuccessAlternative rule{{{"flat", {2, 5}}, {"edge", {7}}}, {}};
  CHECK(classify(ended(EndReason::kStopped, {5, 7}, {}), {rule}) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {2, 4, 7, 9}, {}), {rule}) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {2, 5}, {1}), {rule}) == Outcome::kWedged);
  CHECK(classify(ended(EndReason::kStopped, {3, 4, 7}, {1}), {rule}) == Outcome::kWedged);
}

TEST_CASE("a rule may ask for the palm") {
  SuccessAlternative rule{pieces({1}), pieces({6})};
  rule.palm = pieces({3});
  SimulationResult result = ended(EndReason::kStopped, {1}, {6});
  CHECK(classify(result, {rule}) == Outcome::kWedged);
  result.palm_touches = {2, 3};
  CHECK(classify(result, {rule}) == Outcome::kSuccess);
}

TEST_CASE("the final pose must lie in the windows, bounds included") {
  SuccessAlternative rule;
  rule.x_mm = Window{-1, 2};
  rule.y_mm = Window{-5, -4};
  CHECK(outcome_at({{-1, -4}, 0}, rule) == Outcome::kSuccess);
  CHECK(outcome_at({{2, -5}, 9}, rule) == Outcome::kSuccess);
  CHECK(outcome_at({{2.1, -5}, 0}, rule) == Outcome::kWedged);
  CHECK(outcome_at({{0, -3.9}, 0}, rule) == Outcome::kWedged);
}

TEST_CASE("an angle's window may cross half a turn, and whole turns do not matter") {
  const double pi = std::numbers::pi;
  SuccessAlternative rule;
  rule.theta_rad = Window{pi - 0.1, pi + 0.1};
  for (const double turns : {-2.0, -1.0, 0.0, 1.0, 5.0}) {
    for (const double off : {-0.09, 0.0, 0.09}) {
      CHECK(outcome_at_angle(pi + off + 2 * pi * turns, rule) == Outcome::kSuccess);
    }
    CHECK(outcome_at_angle(pi + 0.11 + 2 * pi * turns, rule) == Outcome::kWedged);
    CHECK(outcome_at_angle(pi - 0.11 + 2 * pi * turns, rule) == Outcome::kWedged);
    CHECK(outcome_at_angle(2 * pi * turns, rule) == Outcome::kWedged);
  }
  CHECK(outcome_at_angle(rule.theta_rad->min, rule) == Outcome::kSuccess);
  CHECK(outcome_at_angle(rule.theta_rad->max, rule) == Outcome::kSuccess);
  rule.theta_rad = Window{-pi - 0.1, -pi + 0.1};
  CHECK(outcome_at_angle(pi - 0.05, rule) == Outcome::kSuccess);
  CHECK(outcome_at_angle(-pi - 0.05, rule) == Outcome::kSuccess);
}

TEST_CASE("the angle of a symmetric part is compared modulo its period") {
  SuccessAlternative rule;
  rule.theta_rad = Window{-0.02, 0.02};
  rule.theta_period_rad = std::numbers::pi / 3;
  for (int k = -9; k <= 9; ++k) {
    const double angle = k * rule.theta_period_rad;
    CHECK(outcome_at_angle(angle + 0.019, rule) == Outcome::kSuccess);
    CHECK(outcome_at_angle(angle - 0.019, rule) == Outcome::kSuccess);
    CHECK(outcome_at_angle(angle + 0.021, rule) == Outcome::kWedged);
    CHECK(outcome_at_angle(angle - 0.021, rule) == Outcome::kWedged);
    CHECK(outcome_at_angle(angle + std::numbers::pi / 6, rule) == Outcome::kWedged);
  }
  rule.theta_rad = Window{0, rule.theta_period_rad};  // every angle
  for (const double angle : {-7.0, -1e-20, 0.0, 1.0, 100.0}) {
    CHECK(outcome_at_angle(angle, rule) == Outcome::kSuccess);
  }
}

TEST_CASE("the opening at the end must lie in its window") {
  SuccessAlternative rule;
  rule.opening_mm = Window{23.9, 24.1};
  SimulationResult result = ended(EndReason::kStopped, {0}, {0});
  result.final_state.jaw_right_mm = 13;
  result.final_state.jaw_left_mm = -11;
  CHECK(classify(result, {rule}) == Outcome::kSuccess);
  result.final_state.jaw_left_mm = -11.2;
  CHECK(classify(result, {rule}) == Outcome::kWedged);
}

TEST_CASE("a rule may ask for a part at rest") {
  SuccessAlternative rule{pieces({1}), pieces({6})};
  CHECK(classify(ended(EndReason::kTimeout, {1}, {6}), {rule}) == Outcome::kSuccess);
  rule.at_rest = true;
  CHECK(classify(ended(EndReason::kTimeout, {1}, {6}), {rule}) == Outcome::kTimeout);
  CHECK(classify(ended(EndReason::kStopped, {1}, {6}), {rule}) == Outcome::kSuccess);
}

TEST_CASE("a rule that names nothing for the fingers needs both of them on the part") {
  SuccessAlternative rule;
  SECTION("windows") { rule.x_mm = Window{-1, 1}; }
  SECTION("at rest") { rule.at_rest = true; }
  CHECK(classify(ended(EndReason::kStopped, {2}, {0}), {rule}) == Outcome::kSuccess);
  CHECK(classify(ended(EndReason::kStopped, {2}, {}), {rule}) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kStopped, {}, {0}), {rule}) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kClosed, {2}, {0}), {rule}) == Outcome::kMissed);
  CHECK(classify(ended(EndReason::kBlocked, {2}, {0}), {rule}) == Outcome::kBlocked);
}

TEST_CASE("conditions of one rule hold together, of several one suffices") {
  SuccessAlternative first{pieces({1}), {}};
  first.x_mm = Window{-1, 1};
  SuccessAlternative second{{}, pieces({6})};
  second.y_mm = Window{5, 6};
  const auto outcome = [&](double x_mm, double y_mm) {
    return graspmap::classify(ended(EndReason::kStopped, {1}, {6}), {{x_mm, y_mm}, 0},
                              {first, second});
  };
  CHECK(outcome(0, 0) == Outcome::kSuccess);
  CHECK(outcome(9, 5) == Outcome::kSuccess);
  CHECK(outcome(9, 0) == Outcome::kWedged);
}

TEST_CASE("outcomes have the words of the files") {
  CHECK(std::string(name(Outcome::kSuccess)) == "success");
  CHECK(std::string(name(Outcome::kWedged)) == "wedged");
  CHECK(std::string(name(Outcome::kMissed)) == "missed");
  CHECK(std::string(name(Outcome::kTimeout)) == "timeout");
  CHECK(std::string(name(Outcome::kBlocked)) == "blocked");
  CHECK(std::string(name(Outcome::kFailed)) == "failed");
}

}  // namespace

TEST_CASE("a part twice as large has twice the lengths, four times the mass") {
  Scenario scenario = testing::small_lock_piece_sweep().scenario;
  scenario.part.outlines.push_back({"plate", {rectangle_loop(4.0, 2.0), {}}, {{1.0, 2.0}, 0.5}});
  scenario.support = PointsSupport{{{Vec2(3.0, -1.0), 1.0, 1.0}}};
  const Scenario large = with_part_scaled(scenario, 2.0);
  const Piece& piece = scenario.part.pieces.back();
  const Piece& large_piece = large.part.pieces.back();
  CHECK(large_piece.shape.a_mm == 2.0 * piece.shape.a_mm);
  CHECK(large_piece.shape.b_mm == 2.0 * piece.shape.b_mm);
  CHECK(large_piece.pose.position_mm == Vec2(2.0 * piece.pose.position_mm));
  CHECK(large.part.outlines[0].outline.outer[2].begin_mm ==
        Vec2(2.0 * scenario.part.outlines[0].outline.outer[2].begin_mm));
  CHECK(large.part.outlines[0].pose.position_mm == Vec2(2.0, 4.0));
  CHECK(large.mass.mass_kg == 4.0 * scenario.mass.mass_kg);
  CHECK(large.mass.inertia_kg_mm2 == 16.0 * scenario.mass.inertia_kg_mm2);
  CHECK(std::get<PointsSupport>(large.support).points[0].point_P_mm == Vec2(6.0, -2.0));
}

TEST_CASE("a support is scaled with its part") {
  Scenario scenario = testing::small_lock_piece_sweep().scenario;
  const auto scaled = [&](SupportModel support) {
    scenario.support = std::move(support);
    return with_part_scaled(scenario, 0.5).support;
  };
  CHECK(std::get<EllipsoidSupport>(scaled(EllipsoidSupport{1.0, 2.0, 8.0})).e_r_mm == 4.0);
  CHECK(std::get<TripodSupport>(scaled(TripodSupport{6.0, {}})).radius_mm == 3.0);
  CHECK(std::get<PartEllipsoidSupport>(scaled(PartEllipsoidSupport{10.0})).length_mm == 5.0);
  CHECK(std::get<FourthOrderSupport>(scaled(FourthOrderSupport{10.0, {}})).length_mm == 5.0);
}

}  // namespace graspmap
