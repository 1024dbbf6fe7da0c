#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "sim/closing/contact_set.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kObstacles = R"(
[[obstacle]]
name = "guide"
point_mm = [0, 100]
facing_deg = -90
mu = 0.4
[[obstacle]]
name = "pin"
outline_mm = [[-2, -90, 1], [2, -90, 1]]
)";

std::string obstacle_text() { return kConfigText + kObstacles; }

}  // namespace

TEST_CASE("obstacles are half-planes or outlines on the table") {
  const Scenario& scenario = sweep_of(obstacle_text()).scenario;
  REQUIRE(scenario.obstacles.size() == 2);
  const Obstacle& guide = scenario.obstacles[0];
  CHECK(guide.name == "guide");
  CHECK(guide.mu == 0.4);
  CHECK(contains(guide.outline.outer, Vec2(30, 101)));
  CHECK(contains(guide.outline.outer, Vec2(-3000, 4000)));
  CHECK_FALSE(contains(guide.outline.outer, Vec2(30, 99)));
  CHECK(scenario.obstacles[1].mu == kFrictionOfTrial);
  CHECK(friction_of(scenario.obstacles[1], 0.25) == 0.25);
  CHECK(scenario.table == TableFrame::kGripper);
}

TEST_CASE("obstacles may stand about the part, and one jaw may be fixed") {
  const std::string text = replaced(replaced(obstacle_text(), "mu = 0.4", "frame = \"part\""),
                                    "name = \"pin\"", "name = \"pin\"\nframe = \"part\"");
  const Scenario& part = sweep_of(text).scenario;
  CHECK(part.table == TableFrame::kPart);
  const std::string fixed =
      replaced(kConfigText, "opening_mm = 30", "opening_mm = 30\ncoupling = \"left-fixed\"");
  CHECK(sweep_of(fixed).scenario.gripper.coupling == Coupling::kRightMoves);
}

TEST_CASE("success may ask what touches an obstacle, or one of them") {
  const std::string text = replaced(obstacle_text(), "right = [\"knob\"]",
                                    "right = [\"knob\"]\nobstacle = [\"bar\", \"pin: knob\"]");
  const SweepConfig config = sweep_of(text);
  const std::vector<TouchTarget>& targets = config.success[0].obstacle;
  REQUIRE(targets.size() == 2);
  CHECK((targets[0].name == "bar" && targets[0].obstacle == -1));
  CHECK((targets[1].name == "pin: knob" && targets[1].obstacle == 1));
  CHECK(targets[1].features == std::vector<int>{1});
  SimulationResult end;
  end.end = EndReason::kStopped;
  end.left_touches = end.right_touches = {1};
  const auto outcome = [&](const std::vector<std::vector<int>>& touches) {
    end.obstacle_touches = touches;
    return classify(end, {}, config.success);
  };
  CHECK(outcome({{0}, {1}}) == Outcome::kSuccess);
  CHECK(outcome({{}, {0, 1}}) == Outcome::kSuccess);
  CHECK(outcome({{0, 1}, {}}) == Outcome::kWedged);
  CHECK(outcome({{}, {1}}) == Outcome::kWedged);
  const auto unmet = unmet_conditions(config.success, config.scenario.part, end, {});
  REQUIRE(unmet.size() == 1);
  CHECK(unmet_sentence(unmet[0]) == "obstacle touches knob, wanted bar and pin: knob");
}

TEST_CASE("obstacles are written as they were read") {
  const SweepConfig config = sweep_of(obstacle_text());
  const std::string text = to_toml(config);
  const SweepConfig again = sweep_of(text);
  CHECK(to_toml(again) == text);
  REQUIRE(again.scenario.obstacles.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const Obstacle& a = config.scenario.obstacles[k];
    const Obstacle& b = again.scenario.obstacles[k];
    CHECK(a.name == b.name);
    CHECK(a.mu == b.mu);
    CHECK(same_shape(a.outline, b.outline));
  }
}

TEST_CASE("obstacles that cannot be are told by line and key") {
  check_mistakes(
      obstacle_text(), "sweep.toml", sweep_error,
      {{"name = \"pin\"", "name = \"guide\"", "name = \"guide\"\noutline", "obstacle.1.name",
        "must be unique"},
       {"mu = 0.4", "mu = -1", "mu = -1", "obstacle.0.mu", ">= 0"},
       {"facing_deg = -90\n", "", "[[obstacle]]\nname = \"guide\"", "obstacle.0.facing_rad",
        "missing"},
       {"point_mm = [0, 100]\nfacing_deg = -90\n", "", "[[obstacle]]\nname = \"guide\"",
        "obstacle.0.point_mm", "give point_mm and facing_rad, or outline_mm or file"},
       {"name = \"pin\"", "name = \"pin\"\nframe = \"part\"", "frame = \"part\"",
        "obstacle.1.frame", "must be in the same frame"},
       {"[0, 100]", "[0, 0]", "name = \"guide\"", "obstacle.0.name", "clear of them there"},
       {"right = [\"knob\"]", "right = [\"knob\"]\nobstacle = [\"nut\"]", "obstacle = [",
        "success.0.obstacle", "no piece is named \"nut\""}});
  CHECK_THAT(sweep_error(replaced(kConfigText, "right = [\"knob\"]",
                                  "right = [\"knob\"]\nobstacle = [\"bar\"]")),
             Catch::Contains("there is no obstacle"));
}

TEST_CASE("a gripper that turns does not go with an ellipsoid of two axes") {
  const std::string turns =
      std::string(kConfigText) + "[[program]]\ndo = \"turn\"\nby_deg = 90\nspeed_rad_s = 1\n";
  CHECK_NOTHROW(sweep_of(turns));
  CHECK_THAT(sweep_error(replaced(turns, "e_r_mm = 10", "e_r_mm = 10\ne_t = 2")),
             Catch::Contains("program.0.do: turns the axes of the ellipsoid"));
  // Nor does it where the axes differ in some trials.
  CHECK_THAT(sweep_error(replaced(turns, "e_r_mm = 10",
                                  "e_r_mm = 10\ne_t = { distribution = \"uniform\", min = 0.5, "
                                  "max = 1.5 }")),
             Catch::Contains("turns the axes of the ellipsoid"));
}
