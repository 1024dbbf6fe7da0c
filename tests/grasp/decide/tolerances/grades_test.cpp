#include "grasp/decide/tolerances/grades.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "grasp/base/io/number.hpp"
#include "grasp/base/probability/random.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/mistakes.hpp"

namespace graspmap::testing {
namespace {

Distribution uniform(double min, double max) { return Uniform{min, max}; }

std::vector<ToleranceInput> some_inputs() {
  return {tolerance_input("part.mass_kg", uniform(0.045, 0.055)),
          tolerance_input("friction.jaw", uniform(0.05, 0.35)),
          tolerance_input("robot.x_mm", Normal{0.0, 0.5}),
          tolerance_input("robot.y_mm", Normal{0.0, 0.25})};
}

constexpr const char* kCosts = R"(unit = "EUR"
[[input]]
key = "friction.jaw"
grades = [[0.05, 1.5], [0.15, 0.25], [0.1, 2], [0.2, 0]] # the third is dear
[[input]]
keys = ["robot.x_mm", "robot.y_mm"]
grades = [[0.3, 1]] # of a new robot
[[input]]
key = "part.mass_kg"
cost = 0.2
exponent = 2
)";

TEST_CASE("a file of costs has grades in order, without those that are dear, and power laws") {
  const CostFile costs = parse_cost_file(kCosts, "costs.toml", some_inputs());
  CHECK(costs.unit == "EUR");
  REQUIRE(costs.tolerances.size() == 3);
  const CostedTolerance& friction = costs.tolerances[0];
  REQUIRE(friction.grades.size() == 3);
  CHECK(friction.grades[0].width == 0.2);
  CHECK(friction.grades[1].width == Approx(0.15));
  CHECK(friction.grades[2].width == 0.05);
  CHECK(friction.today == 0.25);
  CHECK(friction.inputs == std::vector<std::size_t>{1});
  const CostedTolerance& robot = costs.tolerances[1];
  CHECK(robot.name() == "robot.x_mm and robot.y_mm");
  CHECK(robot.inputs == std::vector<std::size_t>{2, 3});
  CHECK(!robot.today);
  const CostedTolerance& mass = costs.tolerances[2];
  REQUIRE(mass.power);
  CHECK(mass.power->narrowest == Approx(0.005 / 8));
  CHECK(mass.power->widest == Approx(0.02));
  CHECK(mass.today == 0.2);
}

TEST_CASE("mistakes in a file of costs are told in one line") {
  const auto error = [](const std::string& text) {
    return config_error([&] { (void)parse_cost_file(text, "costs.toml", some_inputs()); });
  };
  check_mistakes(
      kCosts, "costs.toml", error,
      {{"\"friction.jaw\"", "\"friction.jav\"", "friction.jav", "input.0.key",
        "did you mean friction.jaw?"},
       {"\"friction.jaw\"", "\"robot.theta_rad\"", "key = \"robot", "input.0.key",
        "--angle-sigma-rad"},
       {"[0.1, 2]", "[0.15, 2]", "grades = [[0.05", "input.0.grades", "twice"},
       {"[0.1, 2]", "[-0.1, 2]", "grades = [[0.05", "input.0.grades", "widths >= 0"},
       {"[0.1, 2]", "[0.1, -2]", "grades = [[0.05", "input.0.grades", "costs from 0"},
       {"[0.1, 2]", "[0.1, 2, 3]", "grades = [[0.05", "input.0.grades.2", "a list of 2"},
       {"\"robot.y_mm\"]", "\"robot.x_mm\"]", "keys =", "input.1.keys", "twice"},
       {"\"robot.y_mm\"]", "\"part.mass_kg\"]", "keys =", "input.1.keys", "different kinds"},
       {"keys = [\"robot.x_mm\", \"robot.y_mm\"]", "keys = []", "keys =", "input.1.keys",
        "is empty"},
       {"keys = [\"robot", "key = \"robot.x_mm\"\nkeys = [\"robot", "keys =", "input.1.keys",
        "without key"},
       {"grades = [[0.3, 1]] # of", "# of", "[[input]]\nkeys", "input.1.grades", "missing"},
       {"grades = [[0.3, 1]]", "grades = []", "grades = []", "input.1.grades", "is empty"},
       {"grades = [[0.3, 1]]", "exponent = 2", "# of a new", "input.1.exponent", "with cost"},
       {"cost = 0.2", "cost = 0", "cost = 0", "input.2.cost", "> 0"},
       {"exponent = 2", "exponent = 0", "exponent = 0", "input.2.exponent", "0.01"},
       {"exponent = 2", "narrowest = 1", "narrowest", "input.2.narrowest", "narrowest < widest"},
       {"exponent = 2", "widest = 0.0001", "widest", "input.2.widest", "narrowest < widest"},
       {"exponent = 2", "grades = [[1, 2]]", "grades = [[1", "input.2.grades", "without cost"},
       {"\"part.mass_kg\"", "\"friction.jaw\"", "key = \"friction.jaw\"\ncost", "input.2.key",
        "once"}});
  CHECK_THAT(error("unit = \"EUR\"\n"), Catch::Contains("input") && Catch::Contains("missing"));
}

TEST_CASE("widths of a key in degrees are in degrees") {
  std::vector<ToleranceInput> inputs = some_inputs();
  inputs.push_back(tolerance_input("placement.noise.theta_rad", Normal{0.0, 3 * kDegree_rad}));
  inputs.push_back(tolerance_input("robot.theta_rad", Normal{0.0, kDegree_rad}));
  const auto read = [&](const std::string& text) {
    return parse_cost_file("[[input]]\n" + text, "costs.toml", inputs).tolerances[0];
  };
  const CostedTolerance noise =
      read("key = \"placement.noise.theta_deg\"\ngrades = [[3, 0.5], [1, 2]]");
  CHECK(noise.name() == "placement.noise.theta_rad");
  REQUIRE(noise.grades.size() == 2);
  CHECK(noise.grades[0].width == inputs[4].width);
  CHECK(noise.grades[1].width == kDegree_rad);
  CHECK(noise.today == 0.5);
  const CostedTolerance robot = read("key = \"robot.theta_deg\"\ncost = 1\nnarrowest = 0.5");
  REQUIRE(robot.power);
  CHECK(robot.power->narrowest == 0.5 * kDegree_rad);
  CHECK(robot.power->widest == Approx(4 * kDegree_rad));

  const auto refusal = [&](const std::string& text) {
    return config_error([&] { (void)read(text); });
  };
  CHECK_THAT(refusal("key = \"robot.thta_deg\"\ncost = 1"),
             Catch::Contains("robot.thta_deg has no distribution here (did you mean "
                             "robot.theta_deg?)"));
  CHECK_THAT(refusal("keys = [\"placement.noise.theta_deg\", \"robot.theta_rad\"]\ncost = 1"),
             Catch::Contains("must have all or none in degrees"));
  CHECK_THAT(refusal("keys = [\"robot.theta_deg\", \"robot.theta_rad\"]\ncost = 1"),
             Catch::Contains("in degrees"));
  CHECK_THAT(refusal("key = \"robot.theta_deg\"\ngrades = [[2, 1], [2, 3]]"),
             Catch::Contains("has the width 2 twice"));
}

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

  /// The lowest cost of a good set, by trying all of them; infinite without one.
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

}  // namespace graspmap::testing
