#include "grasp/decide/tolerances/grade_search.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

/// A random problem: costs that grow, and a set is good when its weighted widths are small enough.
struct RandomProblem {
  GradeProblem problem;
  std::vector<std::vector<double>> effects;  ///< of each grade; descending
  double limit = 0.0;

  explicit RandomProblem(std::uint64_t number) {
    std::uint32_t draw = 0;
    const auto u = [&] { return uniform_open(7, number, draw++); };
    const std::size_t tolerances = 3 + static_cast<std::size_t>(2 * u());
    double widest = 0;
    for (std::size_t k = 0; k < tolerances; ++k) {
      const std::size_t grades = 1 + static_cast<std::size_t>(4 * u());
      std::vector<double> costs{u()};
      std::vector<double> effect{u()};
      for (std::size_t g = 1; g < grades; ++g) {
        costs.push_back(costs.back() + 0.01 + u());
        effect.push_back(effect.back() * u());
      }
      widest += effect.front();
      problem.costs.push_back(costs);
      effects.push_back(effect);
    }
    limit = u() * widest;
    problem.is_good = [this](const GradeSet& set) { return is_good(set); };
  }
  RandomProblem(const RandomProblem&) = delete;
  RandomProblem& operator=(const RandomProblem&) = delete;

  [[nodiscard]] bool is_good(const GradeSet& set) const {
    double sum = 0;
    for (std::size_t k = 0; k < set.size(); ++k) sum += effects[k][set[k]];
    return sum <= limit;
  }

  /// The lowest cost of a good set, by trying all of them; infinite when there is none.
  [[nodiscard]] double lowest_cost() const {
    double lowest = std::numeric_limits<double>::infinity();
    GradeSet set(problem.costs.size(), 0);
    for (;;) {
      if (is_good(set)) lowest = std::min(lowest, cost_of(problem, set));
      std::size_t k = 0;
      while (k < set.size() && ++set[k] == problem.costs[k].size()) set[k++] = 0;
      if (k == set.size()) return lowest;
    }
  }
};

TEST_CASE("the cheapest grades are those of a full enumeration") {
  int found = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const RandomProblem random(number);
    const GradeSearch search = cheapest_grades(random.problem);
    const double lowest = random.lowest_cost();
    INFO(number);
    CHECK(search.found == std::isfinite(lowest));
    if (!search.found) continue;
    ++found;
    CHECK(search.proven);
    CHECK(random.is_good(search.grades));
    CHECK(search.cost == Approx(lowest).epsilon(1e-9));
    CHECK(search.tried <= search.sets);
  }
  CHECK(found > 150);
}

TEST_CASE("too few tries leave a good set that is not proven") {
  int unproven = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    RandomProblem random(number);
    random.problem.most_tries = 1;
    const GradeSearch search = cheapest_grades(random.problem);
    if (!search.found) continue;
    CHECK(random.is_good(search.grades));
    CHECK(search.cost >= random.lowest_cost() - 1e-9);
    unproven += search.proven ? 0 : 1;
  }
  CHECK(unproven > 20);
}

}  // namespace
}  // namespace graspmap
