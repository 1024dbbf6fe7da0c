/// Sequences of squeezes, against what is known of them without friction.

#include "grasp/decide/sequence/sequence_plan.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "grasp/base/process/stop.hpp"
#include "grasp/decide/sequence/squeeze_map.hpp"
#include "grasp/decide/statistics/uniformity.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/squeezed_parts.hpp"
#include "tests/support/temporary_folder.hpp"
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
  CHECK(plan.squeezes.size() == 2);
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
  REQUIRE(plan.squeezes.size() == 1);
  CHECK(plan.squeezes[0].turn_rad == 0.0);
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
  CHECK_THAT(sequence_text(plan), Catch::Contains("No sequence of at most 2 squeezes") &&
                                      Catch::Contains("None can have more than 50 %"));
  CHECK(plan.bound == within(0.5, 1e-12));
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
    const GoldbergPlan goldberg = goldberg_plan(steps);
    const int most = static_cast<int>(goldberg.turns_rad.size());
    longest = std::max(longest, most);
    const SequencePlan plan = plan_sequence(plate(polygon), from_all_angles(300));
    INFO("seed " << seed << ": " << steps.minimum.size() << " poses, Goldberg " << most
                 << " squeezes, " << plan.squeezes.size() << " with " << plan.probability());
    CHECK(plan.reaches());
    CHECK(static_cast<int>(plan.squeezes.size()) <= most);
    double nearest = 1.0;
    for (const double minimum : steps.minimum) {
      nearest =
          std::min(nearest, std::abs(std::remainder(plan.pose.angle_rad - minimum, kHalfTurn_rad)));
    }
    CHECK(nearest < 2e-3);
  }
  CHECK(longest >= 3);
}

TEST_CASE("Goldberg's plans end where they say", "[slow]") {
  // Slow jaws, for a part that turns fast may coast over a low maximum. The table holds a part near
  // a maximum: a plan must leave some room beside each image.
  constexpr double kRoom_rad = 0.1;
  int followed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Polygon polygon = random_convex_polygon(random, true);
    const GoldbergPlan goldberg = goldberg_plan(squeeze_steps(polygon));
    if (goldberg.slack_rad < kRoom_rad) continue;
    ++followed;
    SweepConfig config = plate(polygon);
    config.scenario.gripper.closing_speed_mm_s = 2.0;
    config.scenario.stop.timeout_s = 60.0;
    std::vector<DrawnPhase> program;
    for (const double turn : goldberg.turns_rad) {
      for (const DrawnPhase& phase : squeeze_phases(config.scenario, {turn})) {
        program.push_back(phase);
      }
    }
    const ProgramTrials trials = simulate_program(config, program, from_all_angles(300), 0, 300);
    const PoseCluster& end = trials.end().largest;
    INFO("seed " << seed << ": " << goldberg.turns_rad.size() << " squeezes, " << end.share);
    CHECK(end.share > 0.99);
    CHECK(std::remainder(end.pose.angle_rad - goldberg.end_rad, kHalfTurn_rad) ==
          within(0.0, 2e-3));
  }
  CHECK(followed >= 8);
}

TEST_CASE("the probability holds under another seed, and friction spreads the poses", "[slow]") {
  const SweepConfig config = plate({{-18, -9}, {18, -6}, {14, 10}, {-16, 8}},
                                   "{ distribution = \"uniform\", min = 0.1, max = 0.3 }", "0.2");
  SequenceQuestion question = from_all_angles(1000);
  question.most_squeezes = 2;
  const SequencePlan plan = plan_sequence(config, question);
  REQUIRE_FALSE(plan.squeezes.empty());
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

TEST_CASE("a plan has the same bits with one thread and with two", "[slow]") {
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

TEST_CASE("jaws that push first tell a part from the one turned by half a turn", "[slow]") {
  SequenceQuestion question = from_all_angles(300);
  question.same = {2.0 * kHalfTurn_rad, false, 2.0 * kDegree, 1.0};
  question.most_squeezes = 2;
  const SweepConfig config = plate({{-12, -8}, {12, -8}, {10, 9}, {-14, 7}});
  const SequencePlan squeezes = plan_sequence(config, question);
  CHECK_FALSE(squeezes.reaches());
  CHECK(squeezes.bound == within(0.5, 1e-12));
  question.offsets_mm = {0.0, 5.0, -5.0, 15.0, -15.0};
  question.motion.opening_mm = 70.0;
  question.most_squeezes = 5;
  const SequencePlan pushes = plan_sequence(config, question);
  CHECK(pushes.reaches());
  CHECK(pushes.bound == 1.0);
  CHECK_THAT(sequence_text(pushes), Catch::Contains("mm in its x, close, open"));
  CHECK_THAT(pushes.trials.end().phase, Catch::Equals("the jaws open to 70 mm"));
}

TEST_CASE("other trials tell the probability than those that choose the sequence") {
  const SweepConfig config = plate(rectangle_polygon(16, 30));
  SequenceQuestion question = from_all_angles(400);
  question.most_squeezes = 1;
  const SequencePlan plan = plan_sequence(config, question);
  const PoseCloud told = simulate_program(config, plan.program, question, 0, 400).end().cloud;
  const ProgramTrials chose = simulate_program(config, plan.program, question, kChoiceTrials, 400);
  REQUIRE(plan.trials.end().cloud.size() == told.size());
  for (std::size_t k = 0; k < told.size(); ++k) {
    CHECK(plan.trials.end().cloud[k].pose.angle_rad == told[k].pose.angle_rad);
  }
  CHECK(plan.pose.angle_rad == chose.end().largest.pose.angle_rad);
  CHECK(plan.searched.back().simulated == chose.end().largest.share);
  std::set<double> starts;
  for (const PhaseCloud* cloud : {&plan.trials.phases[0], &chose.phases[0]}) {
    for (const WeightedPose& one : cloud->cloud) starts.insert(one.pose.angle_rad);
  }
  CHECK(starts.size() == 800);
}

TEST_CASE("where fresh trials refute a sequence the search goes on", "[slow]") {
  // One squeeze leaves 0.69 of a rectangle on its long sides, two nearly all.
  const SweepConfig config = plate(rectangle_polygon(16, 30));
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SequenceQuestion question = from_all_angles(2000);
    question.seed = seed;
    question.most_squeezes = 1;
    question.probability = 0.999;
    const SequencePlan one = plan_sequence(config, question);
    CHECK_THAT(sequence_text(one), Catch::StartsWith("No sequence of at most 1 squeeze that"));
    question.probability = *one.searched.back().simulated;
    question.most_squeezes = 3;
    const SequencePlan plan = plan_sequence(config, question);
    CHECK(plan.reaches());
    CHECK((plan.refuted > 0) == (plan.squeezes.size() > 1));
    if (plan.refuted == 0) continue;
    ++refuted;
    CHECK_THAT(sequence_text(plan), Catch::Contains("looked as good before"));
    // Others tell the probability than those that accepted it, which reach what was asked.
    const PhaseCloud accepting =
        simulate_program(config, plan.program, question,
                         kAcceptTrials + plan.refuted * question.trials, question.trials)
            .end();
    const auto ends = std::count_if(
        accepting.cloud.begin(), accepting.cloud.end(), [&](const WeightedPose& one_end) {
          return !one_end.lost && is_same(one_end.pose, plan.pose, question.same);
        });
    CHECK(static_cast<double>(ends) >= question.probability * 2000);
    CHECK(accepting.cloud[0].pose.angle_rad != plan.trials.end().cloud[0].pose.angle_rad);
  }
  CHECK(refuted >= 1);
  CHECK(refuted <= 5);
}

TEST_CASE("pushes bring a part without symmetry into one pose of the full turn", "[slow]") {
  SequenceQuestion question = from_all_angles(300);
  question.same = {2.0 * kHalfTurn_rad, false, 2.0 * kDegree, 1.0};
  question.most_squeezes = 4;
  const SweepConfig config = plate({{-12, -8}, {12, -8}, {10, 9}, {-14, 7}}, "0", "0.3");
  const SequencePlan squeezes = plan_sequence(config, question);
  CHECK_FALSE(squeezes.reaches());
  question.pushes_mm = {25.0, -25.0};
  const SequencePlan plan = plan_sequence(config, question);
  INFO(sequence_text(plan));
  CHECK(plan.reaches());
  CHECK(plan.bound == 1.0);
  CHECK_THAT(sequence_text(plan), Catch::Contains("push with the "));
  CHECK(std::any_of(plan.squeezes.begin(), plan.squeezes.end(),
                    [](const Squeeze& squeeze) { return squeeze.is_push(); }));
}

TEST_CASE("a search with pushes finds no longer sequences than one without", "[slow]") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Random random(seed);
    const SweepConfig config = plate(random_convex_polygon(random, false));
    SequenceQuestion question = from_all_angles(200);
    question.most_squeezes = 4;
    const SequencePlan without = plan_sequence(config, question);
    question.pushes_mm = {25.0, -25.0};
    const SequencePlan with = plan_sequence(config, question);
    INFO("seed " << seed << "\n" << sequence_text(with));
    CHECK(with.reaches() >= without.reaches());
    if (without.reaches()) CHECK(with.squeezes.size() <= without.squeezes.size());
  }
}

TEST_CASE("the reported interval has the probability as often as it says", "[slow]") {
  // One squeeze leaves a rectangle on its long sides with probability 0.69.
  const SweepConfig config = plate(rectangle_polygon(16, 30));
  SequenceQuestion question = from_all_angles(100);
  question.most_squeezes = 1;
  constexpr int kSearches = 100;
  int covered = 0;
  int covered_by_half = 0;
  for (int k = 0; k < kSearches; ++k) {
    question.seed = static_cast<std::uint64_t>(1000 + k);
    const SequencePlan plan = plan_sequence(config, question);
    SequenceQuestion many = question;
    many.seed = 1;
    static std::map<double, double> known;  // the pose is one of few
    const auto [place, is_new] = known.try_emplace(std::round(plan.pose.angle_rad * 100.0));
    if (is_new) {
      constexpr std::int64_t kMany = 20'000;
      std::int64_t near = 0;
      const auto run = simulate_program(config, plan.program, many, 1'000'000, kMany);
      for (const WeightedPose& one : run.end().cloud) {
        near += !one.lost && is_same(one.pose, plan.pose, question.same) ? 1 : 0;
      }
      place->second = share_of(near, kMany);
    }
    const double truth = place->second;
    covered += plan.interval.low <= truth && truth <= plan.interval.high ? 1 : 0;
    const double half = 0.25 * (plan.interval.high - plan.interval.low);
    covered_by_half += std::abs(truth - plan.probability()) <= half ? 1 : 0;
  }
  INFO(covered << " of " << kSearches << ", " << covered_by_half << " by half the width");
  CHECK(wilson_interval(covered, kSearches, two_sided_z(0.999)).high > 0.95);
  CHECK(wilson_interval(covered_by_half, kSearches, two_sided_z(0.999)).high < 0.9);
}

TEST_CASE("the probability of a squeeze has uniform ranks by its intervals", "[slow]") {
  std::vector<double> ranks;
  for (int k = 0; k < 60; ++k) {
    // From all angles nearer to the long sides than to the short ones, as seen from the diagonal.
    const double ratio = 0.2 + 0.7 * (k + 0.5) / 60;
    const double truth = 1.0 - std::atan(ratio) / (0.5 * kHalfTurn_rad);
    SequenceQuestion question = from_all_angles(100);
    question.most_squeezes = 1;
    question.seed = static_cast<std::uint64_t>(2000 + k);
    const SequencePlan plan = plan_sequence(plate(rectangle_polygon(30 * ratio, 30)), question);
    ranks.push_back(rank_by_intervals(
        truth, [&](double confidence) { return plan.counts.interval(two_sided_z(confidence)); }));
  }
  CHECK(distance_from_uniform(ranks) < kSeldomDistance);
}

TEST_CASE("a search that was stopped anywhere goes on and finds the same", "[slow]") {
  const SweepConfig config = plate({{-15, -9}, {15, -6}, {12, 10}, {-14, 8}},
                                   "{ distribution = \"uniform\", min = 0, max = 0.2 }", "0.2");
  SequenceQuestion question = from_all_angles(200);
  question.most_squeezes = 2;
  const std::string whole = json_text(sequence_fields(plan_sequence(config, question)));
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "kept.sqlite";
  const std::string search = search_text(config, question);
  std::int64_t before = 0;
  int stops = 0;
  std::string resumed;
  for (std::int64_t most_trials = 500; resumed.empty(); most_trials += 700) {
    std::atomic<int> stop{0};
    const StopScope scope(&stop);
    std::int64_t shown = 0;
    const ShowTrials show = [&](const TrialCounters& /*counters*/, std::int64_t total) {
      shown += total;
      if (shown > most_trials) stop = 1;
      return nullptr;
    };
    const KeptTrials kept(file, search, show);
    CHECK_FALSE(kept.has_replaced());
    CHECK(kept.found() >= before);
    before = kept.found();
    try {
      resumed = json_text(sequence_fields(plan_sequence(config, question, kept)));
    } catch (const AnalysisStopped&) {
      ++stops;
    }
  }
  CHECK(stops >= 3);
  CHECK(resumed == whole);

  // All is there now. Another search finds nothing, and says so.
  CHECK(KeptTrials(file, search, {}).found() > 1000);
  SequenceQuestion other = question;
  other.seed = 2;
  CHECK(search_text(config, other) != search);
  const KeptTrials anew(file, search_text(config, other), {});
  CHECK(anew.has_replaced());
  CHECK(anew.found() == 0);
  CHECK(KeptTrials(file, search, {}).found() == 0);
}

TEST_CASE("what a search is kept for does not depend on how long it looks") {
  const SweepConfig config = plate(rectangle_polygon(16, 30));
  SequenceQuestion question = from_all_angles(200);
  const std::string search = search_text(config, question);
  question.trials = 5000;
  question.most_squeezes = 3;
  question.probability = 0.5;
  CHECK(search_text(config, question) == search);
  question.motion.opening_mm = 40.0;
  CHECK(search_text(config, question) != search);
  question.motion = {};
  question.start.given = {{{1.0, 2.0}, 3.0}};
  CHECK(search_text(config, question) != search);
  CHECK(search_text(plate(rectangle_polygon(16, 30), "0.1"), from_all_angles(200)) != search);
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
