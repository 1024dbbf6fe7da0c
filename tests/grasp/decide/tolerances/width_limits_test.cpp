#include "grasp/decide/tolerances/width_limits.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "tests/support/lock_piece.hpp"

namespace graspmap::testing {
namespace {

constexpr std::int64_t kGrasps = 8000;

std::vector<ToleranceInput> normal_inputs(int count) {
  std::vector<ToleranceInput> inputs;
  for (int k = 0; k < count; ++k) {
    inputs.push_back(tolerance_input("robot." + std::to_string(k), Normal{0.0, 1.0}));
  }
  return inputs;
}

/// Grasps that succeed when |sum of weight factor error| <= limit, the errors standard normal.
SimulateWidths normal_sum(std::vector<double> weights, double limit) {
  return [weights, limit](std::span<const double> factors, std::int64_t first, std::int64_t count) {
    std::vector<PairSide> sides;
    const Distribution normal = Normal{0.0, 1.0};
    for (std::int64_t index = first; index < first + count; ++index) {
      double sum = 0;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const double u =
            uniform_open(9, static_cast<std::uint64_t>(index), static_cast<std::uint32_t>(k));
        sum += weights[k] * factors[k] * normal.quantile(u);
      }
      sides.push_back(std::abs(sum) <= limit ? PairSide::kSuccess : PairSide::kNoSuccess);
    }
    return sides;
  };
}

WidthQuestion question_of(double required) {
  WidthQuestion question;
  question.required = required;
  question.trials = kGrasps;
  return question;
}

TEST_CASE("the largest widths are those of a closed form, to a step of the ladder") {
  // |N(0, 0.4^2 a^2 + 0.2^2 b^2 + 0.05^2 c^2)| <= 1 in 95 % of the cases: the variance is at most
  // 1 / 1.96^2 = 0.2603.
  const WidthLimits limits =
      width_limits(normal_inputs(3), question_of(0.95), normal_sum({0.4, 0.2, 0.05}, 1.0));
  const double allowed = 1 / (kZ95 * kZ95);
  const double first = std::sqrt((allowed - 0.04 - 0.0025) / 0.16);
  const double second = std::sqrt((allowed - 0.16 - 0.0025) / 0.04);
  REQUIRE(limits.inputs.size() == 3);
  const double step = std::exp2(1.0 / 8);
  const auto check = [&](const WidthLimit& limit, double exact, double error) {
    CHECK(limit.state == WidthState::kLimited);
    CHECK(limit.factor <= exact * (1 + error));
    CHECK(limit.factor * step >= exact * (1 - error));
  };
  check(limits.inputs[0].estimate, first, 0.03);
  check(limits.inputs[1].estimate, second, 0.03);
  CHECK(limits.inputs[2].estimate.state == WidthState::kAny);
  CHECK(limits.inputs[2].estimate.factor == 4);
  // With confidence a little less, and never more.
  for (const InputWidthLimit& one : limits.inputs) {
    CHECK(one.confidence.factor <= one.estimate.factor);
    CHECK(one.confidence.factor > 0.85 * one.estimate.factor);
  }
  const double today = std::erf(1 / std::sqrt(2 * (0.16 + 0.04 + 0.0025)));
  CHECK(limits.interval.low <= today);
  CHECK(limits.interval.high >= today);
}

TEST_CASE("a distribution that must be exact, and one that not even that helps, are told as such") {
  // The first alone has a probability of 0.9545 at 0 only: its least width is 1/16 of 30.
  const WidthLimits exact =
      width_limits(normal_inputs(2), question_of(0.95), normal_sum({30, 0.5}, 1.0));
  CHECK(exact.inputs[0].estimate.state == WidthState::kExactOnly);
  CHECK(exact.inputs[1].estimate.state == WidthState::kNever);
  const std::string text = width_limits_text(exact);
  CHECK_THAT(text, Catch::Contains("only when exact") && Catch::Contains("not even when exact"));
  CHECK_THAT(csv_text(width_limits_table(exact)),
             Catch::Contains("robot.0,sigma,,1,exact_only,0,"));
}

TEST_CASE("wide and narrow distributions of a simulated grasp have limits") {
  SweepConfig config = small_lock_piece_sweep({"friction.jaw=0.2", "friction.support=0.3"});
  config.uncertain.push_back({"gripper.opening_mm", Uniform{62, 66},
                              *ScenarioNumber::find(config.scenario, "gripper.opening_mm")});
  WidthQuestion question = question_of(0.8);
  question.aim = {{0, -10, 0}, {Normal{0, 5}, {}, {}}};
  question.trials = 100;
  std::vector<double> shares;
  const WidthLimits limits = width_limits(tolerance_inputs(config, question.aim), question,
                                          simulated_widths(config, question.aim, 0, 0),
                                          [&](double share) { shares.push_back(share); });
  CHECK(limits.today.share() > 0.8);
  REQUIRE(limits.inputs.size() == 2);
  CHECK(limits.inputs[0].input.key == "gripper.opening_mm");
  CHECK(limits.inputs[0].estimate.state == WidthState::kAny);
  CHECK(limits.inputs[1].input.key == "robot.x_mm");
  CHECK(limits.inputs[1].estimate.state == WidthState::kLimited);
  CHECK(limits.inputs[1].estimate.factor >= 1);
  CHECK(shares == std::vector<double>{0, 0.5, 1});
}

}  // namespace
}  // namespace graspmap::testing
