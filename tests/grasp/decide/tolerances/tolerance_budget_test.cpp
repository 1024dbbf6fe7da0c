#include "grasp/decide/tolerances/tolerance_budget.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kGrasps = 10'000;

/// Grasps that succeed when a weighted sum of independent normal errors is between -1 and 1: the
/// probability is erf(1 / (S sqrt 2)) with S^2 the sum of (weight width)^2.
class SumModel {
 public:
  explicit SumModel(std::vector<double> weights) : weights_(std::move(weights)) {
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      inputs_.push_back(tolerance_input("robot." + std::to_string(k), Normal{0.0, 1.0}));
    }
  }

  [[nodiscard]] const std::vector<ToleranceInput>& inputs() const { return inputs_; }

  [[nodiscard]] double probability(const std::vector<double>& widths) const {
    double squares = 0;
    for (std::size_t k = 0; k < widths.size(); ++k) squares += std::pow(weights_[k] * widths[k], 2);
    return std::erf(1 / std::sqrt(2 * squares));
  }

  [[nodiscard]] SampleOfSeed sample() const {
    return [this](std::uint64_t seed) -> SimulateWidths {
      // Drawn once, for all widths.
      auto errors = std::make_shared<std::vector<double>>();
      return [this, seed, errors](std::span<const double> factors, std::int64_t first,
                                  std::int64_t count) {
        const std::size_t n = weights_.size();
        for (auto k = errors->size(); k < static_cast<std::size_t>(first + count) * n; ++k) {
          errors->push_back(weights_[k % n] * inputs_[k % n].distribution.quantile(uniform_open(
                                                  seed, k / n, static_cast<std::uint32_t>(k % n))));
        }
        std::vector<PairSide> sides;
        for (std::int64_t k = first; k < first + count; ++k) {
          const double sum =
              std::inner_product(factors.begin(), factors.end(),
                                 errors->begin() + k * static_cast<std::int64_t>(n), 0.0);
          sides.push_back(std::abs(sum) <= 1 ? PairSide::kSuccess : PairSide::kNoSuccess);
        }
        return sides;
      };
    };
  }

 private:
  std::vector<double> weights_;
  std::vector<ToleranceInput> inputs_;
};

BudgetQuestion question_of(double required) {
  BudgetQuestion question;
  question.required = required;
  question.trials = kGrasps;
  question.check_trials = kGrasps;
  return question;
}

CostFile grades_of(const SumModel& model, const std::vector<std::vector<OfferedGrade>>& offered) {
  CostFile costs;
  for (std::size_t k = 0; k < offered.size(); ++k) {
    CostedTolerance tolerance;
    tolerance.keys = {model.inputs()[k].key};
    tolerance.inputs = {k};
    tolerance.grades = offered[k];
    tolerance.today = offered[k].front().cost;
    costs.tolerances.push_back(tolerance);
  }
  return costs;
}

/// The cheapest set whose exact probability is enough, by trying all; and how near the required
/// probability any set is.
struct Enumerated {
  double lowest = std::numeric_limits<double>::infinity();
  double nearest = 1.0;
};

Enumerated enumerate(const SumModel& model, const CostFile& costs, double required) {
  Enumerated result;
  std::vector<std::size_t> set(costs.tolerances.size(), 0);
  for (;;) {
    std::vector<double> widths;
    double cost = 0;
    for (std::size_t k = 0; k < set.size(); ++k) {
      widths.push_back(costs.tolerances[k].grades[set[k]].width);
      cost += costs.tolerances[k].grades[set[k]].cost;
    }
    const double p = model.probability(widths);
    result.nearest = std::min(result.nearest, std::abs(p - required));
    if (p >= required) result.lowest = std::min(result.lowest, cost);
    std::size_t k = 0;
    while (k < set.size() && ++set[k] == costs.tolerances[k].grades.size()) set[k++] = 0;
    if (k == set.size()) return result;
  }
}

const std::vector<std::vector<OfferedGrade>> kOffered = {
    {{1, 0}, {0.5, 1}, {0.25, 3}},
    {{1, 0}, {0.5, 2}, {0.25, 5}},
    {{1, 0}, {0.7, 0.5}, {0.35, 4}},
    {{1, 0}, {0.3, 1.5}},
};

TEST_CASE("a budget is shared as a full enumeration with exact probabilities shares it") {
  const SumModel model({0.8, 0.2, 0.6, 0.4});
  const CostFile costs = grades_of(model, kOffered);
  const double required = 0.92;
  const Enumerated all = enumerate(model, costs, required);
  REQUIRE(all.nearest > 0.012);  // four standard errors: a sample does not decide otherwise
  const ToleranceBudget budget =
      share_budget(model.inputs(), costs, question_of(required), model.sample());
  REQUIRE(budget.found);
  CHECK(budget.proven);
  CHECK(budget.sets == 54);
  CHECK(budget.tried < 54);
  CHECK(*budget.chosen.cost() == Approx(all.lowest));
  const double exact = model.probability(budget.chosen.widths);
  CHECK(exact >= required);
  CHECK(budget.chosen.interval.low <= exact);
  CHECK(budget.chosen.interval.high >= exact);
  // Equal shares cost more; they are good enough too.
  REQUIRE(budget.equal);
  CHECK(*budget.equal->cost() > 1.2 * *budget.chosen.cost());
  CHECK(model.probability(budget.equal->widths) >= required);
  // What each is worth, exactly.
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> without = budget.chosen.widths;
    REQUIRE(budget.worth[k].has_value() == (without[k] != 1));
    without[k] = 1;
    if (!budget.worth[k]) continue;
    const double worth = exact - model.probability(without);
    CHECK(budget.worth[k]->interval.low <= worth);
    CHECK(budget.worth[k]->interval.high >= worth);
  }
  const double gain = exact - model.probability({1, 1, 1, 1});
  CHECK(budget.gain.interval.low <= gain);
  CHECK(budget.gain.interval.high >= gain);
}

TEST_CASE("a budget that no set reaches says so and gives the best") {
  const SumModel model({0.8, 0.3, 0.5, 0.2});
  const CostFile costs = grades_of(model, kOffered);
  const ToleranceBudget budget =
      share_budget(model.inputs(), costs, question_of(0.9999), model.sample());
  CHECK(!budget.found);
  CHECK(!budget.equal);
  CHECK(budget.chosen.widths == std::vector<double>{0.25, 0.25, 0.35, 0.3});
  CHECK(*budget.chosen.cost() == 13.5);
  const double exact = model.probability(budget.chosen.widths);
  const Interval interval = budget.chosen.success.interval(3.5);
  CHECK(interval.low <= exact);
  CHECK(interval.high >= exact);
  CHECK_THAT(budget_text(budget), Catch::StartsWith("No set of the widths that are offered"));
}

TEST_CASE("equal shares are those for what the chosen set reaches") {
  // A check of few trials falls short now and then, and then no set reaches what is asked for next.
  const SumModel model({0.8, 0.3, 0.5, 0.2});
  const CostFile costs = grades_of(model, kOffered);
  BudgetQuestion question = question_of(0.9985);
  question.trials = question.check_trials = 300;
  for (question.seed = 1; question.seed <= 20; ++question.seed) {
    const ToleranceBudget budget = share_budget(model.inputs(), costs, question, model.sample());
    if (!budget.found) continue;
    // As much for each as for the dearest of the set buys nothing wider than the set.
    double dearest = 0;
    for (const std::optional<double>& cost : budget.chosen.costs) {
      dearest = std::max(dearest, *cost);
    }
    for (const std::optional<double>& cost : budget.equal->costs) CHECK(*cost <= dearest);
  }
}

TEST_CASE("what the check does not promise is said first, with what would promise it") {
  const SumModel model({0.8, 0.3, 0.5, 0.2});
  ToleranceBudget budget =
      share_budget(model.inputs(), grades_of(model, kOffered), question_of(0.9), model.sample());
  REQUIRE(budget.found);
  budget.chosen.success = {9020, 10'000, 0};
  budget.chosen.interval = {0.896, 0.908};
  budget.question.check_trials = 10'000;
  budget.worth.assign(budget.worth.size(), std::nullopt);
  budget.worth[0] = Estimate{-0.0084, {-0.01, -0.007}};
  budget.worth[1] = Estimate{0.001, {-0.002, 0.004}};
  const std::string text = budget_text(budget);
  CHECK_THAT(text, Catch::StartsWith("90 % of the grasps at ") &&
                       Catch::Contains("are not promised, and reached by the estimate only.") &&
                       Catch::Contains("--required-probability 0.904.") &&
                       Catch::Contains("--check-trials 108000.") &&
                       !Catch::Contains("succeed for") &&
                       Catch::Contains("gives away 0.84 (0.70 to 1.00)") &&
                       Catch::Contains("nothing beyond chance"));
  budget.chosen.success = {8900, 10'000, 0};
  budget.chosen.interval = {0.884, 0.896};
  CHECK_THAT(budget_text(budget), Catch::Contains(" are not promised.\n") &&
                                      Catch::Contains("fall short in the check") &&
                                      !Catch::Contains("--check-trials"));
  budget.chosen.interval = {0.901, 0.908};
  CHECK_THAT(budget_text(budget), Catch::StartsWith("90 % or more of the grasps at ") &&
                                      Catch::Contains(" succeed for "));
}

TEST_CASE("smooth costs are shared as Lagrange's conditions share them") {
  // The lowest sum of c / w under sum (a w)^2 = S^2 has w proportional to (c / a^2)^(1/3).
  const std::vector<double> weights{0.9, 0.3, 0.6};
  const std::vector<double> prices{1, 2, 0.5};
  const SumModel model(weights);
  CostFile costs;
  for (std::size_t k = 0; k < 3; ++k) {
    CostedTolerance tolerance;
    tolerance.keys = {model.inputs()[k].key};
    tolerance.inputs = {k};
    tolerance.power = PowerCost{prices[k], 1.0, 1.0 / 8, 4.0};
    tolerance.today = prices[k];
    costs.tolerances.push_back(tolerance);
  }
  constexpr double kRequired = 0.95;
  const double limit = 1 / 1.959963984540054;  // of S
  double squares = 0;
  double cost = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = std::cbrt(prices[k] / (weights[k] * weights[k]));
    squares += std::pow(weights[k] * w, 2);
    cost += prices[k] / w;
  }
  const double lowest = cost * std::sqrt(squares) / limit;
  const ToleranceBudget budget =
      share_budget(model.inputs(), costs, question_of(kRequired), model.sample());
  REQUIRE(budget.found);
  CHECK(!budget.proven);
  CHECK(*budget.chosen.cost() == Approx(lowest).epsilon(0.05));
  CHECK(*budget.equal->cost() > *budget.chosen.cost());
}

TEST_CASE("a part of a sample decides as the whole") {
  const SumModel model({1.0});
  WidthSample sample(model.sample()(3), kGrasps);
  for (const double width : {0.2, 0.45, 0.5, 0.55, 1.0}) {
    WidthSample whole(model.sample()(3), kGrasps);
    const double share = whole.count({width}).share();
    for (const double required : {0.5, 0.9, 0.95, 0.99}) {
      INFO(width << " " << required);
      CHECK(sample.reaches({width}, required) == (share >= required));
    }
  }
  CHECK(sample.simulated() < 5 * kGrasps);
}

TEST_CASE("the share of successes for confidence is where Wilson's interval begins") {
  for (const double p : {0.5, 0.9, 0.99}) {
    const double share = share_for_confidence(p, 4000, kZ95);
    CHECK(weighted_wilson_interval(4000 * share, 4000).low == Approx(p).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace graspmap
