#include "grasp/decide/tolerances/cost_file.hpp"

#include <catch2/catch.hpp>

#include "tests/support/config_error.hpp"
#include "tests/support/mistakes.hpp"

namespace graspmap::testing {
namespace {

Distribution uniform(double min, double max) {
  return {DistributionKind::kUniform, 0.0, 0.0, min, max};
}

std::vector<ToleranceInput> some_inputs() {
  return {tolerance_input("part.mass_kg", uniform(0.045, 0.055)),
          tolerance_input("friction.jaw", uniform(0.05, 0.35)),
          tolerance_input("robot.x_mm", {DistributionKind::kNormal, 0.0, 0.5}),
          tolerance_input("robot.y_mm", {DistributionKind::kNormal, 0.0, 0.25})};
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

}  // namespace
}  // namespace graspmap::testing
