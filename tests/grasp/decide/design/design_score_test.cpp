#include "grasp/decide/design/design_score.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/random.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

GraspEnd ended(bool success, double theta_rad = 0.0) {
  return {success ? Outcome::kSuccess : Outcome::kWedged, {0.0, 0.0, theta_rad}};
}

/// Grasps that succeed with a probability that depends on their number.
template <typename Probability>
std::vector<GraspEnd> drawn(std::int64_t count, std::uint64_t seed, const Probability& p) {
  std::vector<GraspEnd> ends;
  for (std::int64_t k = 0; k < count; ++k) {
    ends.push_back(ended(uniform_open(seed, static_cast<std::uint64_t>(k), 0) < p(k)));
  }
  return ends;
}

ObjectiveQuestion asked(DesignObjective objective, double probability = 0.95) {
  ObjectiveQuestion question;
  question.objective = objective;
  question.probability = probability;
  return question;
}

}  // namespace

TEST_CASE("success is a share of the grasps that say something") {
  std::vector<GraspEnd> ends = {ended(true), ended(true), ended(true), ended(false)};
  CHECK(design_score(asked(DesignObjective::kSuccess), ends) == 0.75);
  ends.push_back({Outcome::kFailed, {}});
  CHECK(design_score(asked(DesignObjective::kSuccess), ends) == 0.75);
}

TEST_CASE("the worst cell counts") {
  ObjectiveQuestion question = asked(DesignObjective::kWorstCell);
  question.cells = 2;
  std::vector<GraspEnd> ends;
  for (int k = 0; k < 40; ++k) ends.push_back(ended(k % 2 == 0 || k % 4 == 1));
  CHECK(design_score(question, ends) == within(10.5 / 21.0, 1e-15));
}

TEST_CASE("the spread of the pose in hand is that of successes, modulo the period") {
  ObjectiveQuestion question = asked(DesignObjective::kPoseSpread, 0.7);
  std::vector<GraspEnd> ends;
  for (int k = 0; k < 100; ++k) ends.push_back(ended(k % 4 != 0, (k % 2 == 0 ? 0.1 : -0.1)));
  const double flat = design_score(question, ends);
  // 25 at 0.1 and 50 at -0.1.
  CHECK(flat == within(-0.2 * std::sqrt(2.0) / 3.0, 1e-12));
  question.period_rad = 1.5;
  for (std::size_t k = 0; k < ends.size(); k += 3) ends[k].pose[2] += 1.5;
  CHECK(design_score(question, ends) == within(flat, 1e-12));
  question.probability = 0.9;
  CHECK(design_score(question, ends) == 0.75 - 0.9 - kNoSpread);
  CHECK(std::isnan(value_of_score(DesignObjective::kPoseSpread, design_score(question, ends))));
  for (GraspEnd& end : ends) end = ended(true, 0.25);
  CHECK(design_score(question, ends) == -kLeastSpread);
}

TEST_CASE("the tolerated error is where success falls below the probability") {
  // P(s) = 1 - s / 4: 0.7 at s = 1.2.
  const auto falling = [](std::int64_t k) { return 1.0 - std::exp(log_error_scale(k)) / 4.0; };
  double sum = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    sum += design_score(asked(DesignObjective::kToleratedError, 0.7), drawn(4096, seed, falling));
  }
  CHECK(sum / 20 == within(1.2, 0.04));
  const auto always = [](std::int64_t /*k*/) { return 1.0; };
  CHECK(design_score(asked(DesignObjective::kToleratedError), drawn(256, 1, always)) ==
        kMostErrorScale);
  const auto never = [](std::int64_t /*k*/) { return 0.0; };
  CHECK(design_score(asked(DesignObjective::kToleratedError), drawn(256, 1, never)) == 0.0);
}

TEST_CASE("scales of the error are even, and end at their limits") {
  double sum = 0.0;
  for (std::int64_t k = 0; k < 1000; ++k) {
    const double scale = log_error_scale(k);
    CHECK(std::abs(scale) <= kLogMostErrorScale);
    sum += scale;
  }
  CHECK(std::abs(sum / 1000) < 0.01);
}

TEST_CASE("the jackknife tells a difference's standard error") {
  // Independent grasps: that of a difference of two shares.
  const double n = 1024;
  const double se = std::sqrt((0.8 * 0.2 + 0.6 * 0.4) / n);
  double squares = 0.0;
  int clear = 0;
  constexpr int kTimes = 200;
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    const ObjectiveQuestion question = asked(DesignObjective::kSuccess);
    const auto a =
        score_and_blocks(question, drawn(1024, 2 * seed, [](std::int64_t /*k*/) { return 0.8; }));
    const auto b = score_and_blocks(
        question, drawn(1024, 2 * seed + 1, [](std::int64_t /*k*/) { return 0.8; }));
    const auto c = score_and_blocks(
        question, drawn(1024, 2 * seed + 1, [](std::int64_t /*k*/) { return 0.6; }));
    const double told = score_difference(a, c, 0.0).standard_error;
    squares += told * told / kTimes;
    clear += score_difference(a, b, 0.0).is_clear() ? 1 : 0;
    CHECK(score_difference(a, c, 0.0).is_clear());
  }
  CHECK(std::sqrt(squares) == within(se, 0.1 * se));
  CHECK(clear <= 8);  // one in 80 of equal designs, and more with 15 degrees of freedom
}
