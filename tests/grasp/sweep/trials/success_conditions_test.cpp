#include "grasp/sweep/trials/success_conditions.hpp"

#include <catch2/catch.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/lock_piece.hpp"

namespace graspmap {
namespace {

/// The part's pieces are disc, tooth_1, ..., tooth_6.
const Part& part() {
  static const Part kPart = testing::small_lock_piece_sweep().scenario.part;
  return kPart;
}

SimulationResult at_rest(std::vector<int> left, std::vector<int> right) {
  SimulationResult result;
  result.end = EndReason::kStopped;
  result.left_touches = std::move(left);
  result.right_touches = std::move(right);
  return result;
}

std::vector<std::string> texts(const std::vector<SuccessAlternative>& success,
                               const SimulationResult& result, const Pose2& pose = {}) {
  std::vector<std::string> all;
  for (const UnmetCondition& condition : unmet_conditions(success, part(), result, pose)) {
    all.push_back(unmet_sentence(condition));
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST_CASE("an unmet touch names what is touched and what was wanted") {
  const SuccessAlternative rule{{{"tooth_1", {1}}}, {{"tooth_6", {6}}, {"disc", {0}}}};
  CHECK(texts({rule}, at_rest({1}, {0, 6})).empty());
  CHECK(texts({rule}, at_rest({2, 3}, {0, 6})) ==
        Texts{"left touches tooth_2, tooth_3, wanted tooth_1"});
  CHECK(texts({rule}, at_rest({1}, {0})) == Texts{"right touches disc, wanted tooth_6 and disc"});
  CHECK(texts({rule}, at_rest({}, {})) == Texts{"left touches nothing, wanted tooth_1",
                                                "right touches nothing, wanted tooth_6 and disc"});
}

TEST_CASE("an unmet window names the number and the window") {
  SuccessAlternative rule;
  rule.x_mm = Window{-1, 1};
  rule.opening_mm = Window{20, 21.5};
  SimulationResult result = at_rest({1}, {6});
  result.final_state.jaw_right_mm = 11;
  result.final_state.jaw_left_mm = -11;
  CHECK(texts({rule}, result, {{0.5, 0}, 0}) == Texts{"opening_mm is 22, wanted 20 to 21.5"});
  CHECK(texts({rule}, result, {{-3.25, 0}, 0}).front() == "x_mm is -3.25, wanted -1 to 1");
}

TEST_CASE("an unmet angle is told within half a period of its window") {
  SuccessAlternative rule;
  rule.theta_rad = Window{-0.1, 0.1};
  rule.theta_period_rad = std::numbers::pi;
  const SimulationResult result = at_rest({1}, {6});
  CHECK(texts({rule}, result, {{0, 0}, std::numbers::pi + 0.05}).empty());
  CHECK(texts({rule}, result, {{0, 0}, std::numbers::pi + 0.25}) ==
        Texts{"theta_rad is 0.25, wanted -0.1 to 0.1"});
  CHECK(texts({rule}, result, {{0, 0}, 3 * std::numbers::pi - 0.25}) ==
        Texts{"theta_rad is -0.25, wanted -0.1 to 0.1"});
}

TEST_CASE("rest and two jaws on the part are conditions too") {
  SuccessAlternative rule;
  rule.at_rest = true;
  SimulationResult result = at_rest({1}, {6});
  CHECK(texts({rule}, result).empty());
  result.end = EndReason::kTimeout;
  CHECK(texts({rule}, result) == Texts{"still moving at the timeout, wanted at rest"});
  CHECK(texts({rule}, at_rest({1}, {})) ==
        Texts{"the left jaw alone touches the part, wanted both jaws"});
  CHECK(texts({rule}, at_rest({}, {})) == Texts{"neither jaw touches the part, wanted both jaws"});
}

TEST_CASE("of several alternatives the one is explained that lacks the fewest conditions") {
  const SuccessAlternative first{{{"tooth_1", {1}}}, {{"tooth_6", {6}}}};
  const SuccessAlternative second{{{"tooth_2", {2}}}, {{"tooth_5", {5}}}};
  CHECK(texts({first, second}, at_rest({2}, {4})) ==
        Texts{"right touches tooth_4, wanted tooth_5"});
  CHECK(texts({first, second}, at_rest({3}, {6})) == Texts{"left touches tooth_3, wanted tooth_1"});
  CHECK(texts({first, second}, at_rest({2}, {5})).empty());
}

}  // namespace
}  // namespace graspmap
