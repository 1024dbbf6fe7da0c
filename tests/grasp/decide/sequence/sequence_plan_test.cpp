/// Sequences of squeezes, against what is known of them without friction.

#include "grasp/decide/sequence/sequence_plan.hpp"

#include <catch2/catch.hpp>

#include "grasp/decide/sequence/sequence_report.hpp"
#include "grasp/decide/sequence/squeeze_map.hpp"
#include "tests/support/squeezed_parts.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kDegree = kHalfTurn_rad / 180.0;

SequenceQuestion from_all_angles(std::int64_t trials) {
  SequenceQuestion question;
  question.start.angles_rad = {0.0, 2.0 * kHalfTurn_rad};
  question.same = {kHalfTurn_rad, true, 2.0 * kDegree, 1.0};
  question.trials = trials;
  question.threads = 2;
  return question;
}

SweepConfig plate(const Polygon& polygon, const std::string& jaw = "0",
                  const std::string& support = "0.05") {
  return parse_sweep_config(squeezed_plate(polygon, jaw, support), "plate.toml");
}

}  // namespace

TEST_CASE("a rectangle needs two squeezes, and ends with its long sides on the jaws") {
  // Its diameter function has two minima in half a turn, the lengths of its sides, a quarter turn
  // apart; between them it is greatest where a diagonal is across. So one squeeze leaves both, and
  // the longer basin, 2 atan(30 / 16) = 124 degrees, holds both after a turn.
  const SequencePlan plan = plan_sequence(plate(rectangle_polygon(16, 30)), from_all_angles(500));
  CHECK(plan.turns_rad.size() == 2);
  CHECK(plan.reaches());
  CHECK(std::remainder(plan.pose.angle_rad, kHalfTurn_rad) == within(0.0, 1e-3));
  CHECK(plan.pose.center_mm.norm() < 0.05);
  REQUIRE(plan.searched.size() == 2);
  CHECK(plan.searched[0].share == within(2.0 * std::atan2(30.0, 16.0) / kHalfTurn_rad, 0.01));
  CHECK(plan.searched[1].share > 0.99);
}

TEST_CASE("a hexagon that looks the same after a sixth of a turn needs one squeeze") {
  SequenceQuestion question = from_all_angles(500);
  question.same = {kHalfTurn_rad / 3.0, false, 2.0 * kDegree, 1.0};
  const SequencePlan plan = plan_sequence(plate(regular_polygon(6, 15.0)), question);
  CHECK(plan.turns_rad == std::vector<double>{0.0});
  CHECK(plan.reaches());
  // A corner is at angle 0, so a side is on a jaw after a twelfth of a turn.
  CHECK(std::remainder(plan.pose.angle_rad - kHalfTurn_rad / 6.0, kHalfTurn_rad / 3.0) ==
        within(0.0, 1e-3));
}

TEST_CASE("a square cannot be brought into one of its two poses, and the plan says so") {
  SequenceQuestion question = from_all_angles(500);
  question.most_squeezes = 2;
  const SequencePlan plan = plan_sequence(plate(rectangle_polygon(20, 20)), question);
  CHECK_FALSE(plan.reaches());
  CHECK(plan.probability() < 0.6);
  CHECK(plan.program.size() >= 2);
  CHECK_THAT(sequence_text(plan), Catch::Contains("No sequence of at most 2 squeezes"));
  question.same = {0.5 * kHalfTurn_rad, false, 2.0 * kDegree, 1.0};
  CHECK(plan_sequence(plate(rectangle_polygon(20, 20)), question).reaches());
}

TEST_CASE("plans without friction are no longer than Goldberg's, and end where they say",
          "[slow]") {
  // Polygons that half a turn does not change touch both jaws at the same time, as Goldberg's
  // squeezes do, wherever their centre is midway between the jaws.
  int longest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Polygon polygon = random_convex_polygon(random, true);
    const SqueezeSteps steps = squeeze_steps(polygon);
    const int goldberg = goldberg_squeezes(steps);
    longest = std::max(longest, goldberg);
    const SequencePlan plan = plan_sequence(plate(polygon), from_all_angles(300));
    INFO("seed " << seed << ": " << steps.minimum.size() << " poses, Goldberg " << goldberg
                 << " squeezes, " << plan.turns_rad.size() << " with " << plan.probability());
    CHECK(plan.reaches());
    CHECK(static_cast<int>(plan.turns_rad.size()) <= goldberg);
    double nearest = 1.0;
    for (const double minimum : steps.minimum) {
      nearest =
          std::min(nearest, std::abs(std::remainder(plan.pose.angle_rad - minimum, kHalfTurn_rad)));
    }
    CHECK(nearest < 2e-3);
  }
  CHECK(longest >= 3);
}

TEST_CASE("the probability holds under another seed, and friction spreads the poses", "[slow]") {
  const SweepConfig config = plate({{-18, -9}, {18, -6}, {14, 10}, {-16, 8}},
                                   "{ distribution = \"uniform\", min = 0.1, max = 0.3 }", "0.2");
  SequenceQuestion question = from_all_angles(1000);
  question.most_squeezes = 2;
  const SequencePlan plan = plan_sequence(config, question);
  REQUIRE_FALSE(plan.turns_rad.empty());
  question.seed = 77;
  question.trials = 4000;
  const ProgramTrials again = simulate_program(config, plan.program, question, 0, question.trials);
  std::int64_t near = 0;
  for (const WeightedPose& one : again.end().cloud) {
    near += !one.lost && is_same(one.pose, plan.pose, question.same) ? 1 : 0;
  }
  const Estimate other{share_of(near, 4000), wilson_interval(near, 4000)};
  const Interval difference = newcombe_interval({plan.probability(), plan.interval}, other);
  INFO(plan.probability() << " and " << other.value);
  CHECK(difference.low <= 0.0);
  CHECK(difference.high >= 0.0);
}

TEST_CASE("a plan has the same bits with one thread and with two") {
  const SweepConfig config = plate({{-15, -9}, {15, -6}, {12, 10}, {-14, 8}},
                                   "{ distribution = \"uniform\", min = 0, max = 0.2 }", "0.2");
  SequenceQuestion question = from_all_angles(200);
  question.most_squeezes = 2;
  const SequencePlan two = plan_sequence(config, question);
  question.threads = 1;
  const SequencePlan one = plan_sequence(config, question);
  CHECK(json_text(sequence_fields(one)) == json_text(sequence_fields(two)));
  CHECK(*sequence_figure(one).data == *sequence_figure(two).data);
}

TEST_CASE("start poses are those of the box, the angles or the list, each as likely") {
  StartPoses start;
  start.half_widths_mm = {2.0, 3.0};
  start.angles_rad = {0.5, 1.5};
  CHECK_FALSE(start.has_all_angles());
  Vec2 most = Vec2::Zero();
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const LyingPose pose = start.pose(static_cast<double>(k) / 1000.0, 1, k);
    CHECK(pose.angle_rad == within(0.5 + static_cast<double>(k) / 1000.0, 1e-12));
    most = most.cwiseMax(pose.center_mm.cwiseAbs());
  }
  CHECK((most.x() < 2.0 && most.x() > 1.98));
  CHECK((most.y() < 3.0 && most.y() > 2.97));
  start.given = {{{1, 2}, 3}, {{4, 5}, 6}};
  CHECK(start.pose(0.49, 1, 1).angle_rad == 3.0);
  CHECK(start.pose(0.51, 1, 1).angle_rad == 6.0);
}
