#include <catch2/catch.hpp>

#include "grasp/sweep/config/distributions.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kJawMassKeys = "keys = [\"friction.jaw\", \"part.mass_kg\"]";
const std::string kJawAndMass = "matrix = [[1, 0.8], [0.8, 1]]";

/// The short configuration with correlated friction and mass.
std::string correlated_text() {
  const std::string text =
      replaced(kConfigText, "mass_kg = 0.05",
               "mass_kg = { distribution = \"uniform\", min = 0.04, max = 0.06 }");
  return replaced(text, "[placement]",
                  "[[correlated]]\n" + kJawMassKeys + "\n" + kJawAndMass + "\n[placement]");
}

}  // namespace

TEST_CASE("correlated inputs are read, and written to the last bit") {
  const SweepConfig config = sweep_of(replaced(correlated_text(), "0.8, 1]]", "0.8, 1.0]]"));
  REQUIRE(config.correlated.size() == 1);
  CHECK(config.correlated[0].keys == std::vector<std::string>{"friction.jaw", "part.mass_kg"});
  CHECK(config.correlated[0].correlation(0, 1) == 0.8);
  check_equal(sweep_of(to_toml(config)), config);
  CHECK(to_toml(sweep_of(to_toml(config))) == to_toml(config));
}

TEST_CASE("an angle among correlated inputs may be named in degrees") {
  const std::string text =
      replaced(replaced(correlated_text(), "y_cells = 3",
                        "y_cells = 3\nnoise.theta_deg = { distribution = \"normal\", mean = 0, "
                        "sigma = 1 }"),
               kJawMassKeys, "keys = [\"friction.jaw\", \"placement.noise.theta_deg\"]");
  CHECK(sweep_of(text).correlated[0].keys ==
        std::vector<std::string>{"friction.jaw", "placement.noise.theta_rad"});
}

TEST_CASE("correlations that cannot be give one line with file, line and key") {
  const auto keys = [](const std::string& list, const std::string& says) {
    return Mistake{kJawMassKeys, "keys = " + list, "keys = ", "correlated.0.keys", says};
  };
  const auto matrix = [](const std::string& rows, const std::string& says) {
    return Mistake{kJawAndMass, "matrix = " + rows, "matrix = ", "correlated.0.matrix", says};
  };
  check_mistakes(
      correlated_text(), "sweep.toml", sweep_error,
      {
          keys("[\"friction.jaw\"]", "has 1 keys; must be a list of 2 to 100"),
          keys("[]", "has 0 keys"),
          keys("[\"friction.jaw\", \"friction.jaw\"]", "which is named twice"),
          keys("[\"friction.jaw\", \"friction.support\"]",
               "which is fixed; must be keys of distributions: friction.jaw, part.mass_kg"),
          keys("[\"friction.jaw\", \"gripper.opening_mm\"]", "which is fixed"),
          keys("[\"friction.jaw\", \"sweep.seed\"]", "which is no random input"),
          keys("[\"friction.jaw\", \"a\\u0007b\"]", "which is no random input"),
          matrix("[[1, 0.8]]", "has 1 rows; must have 2 rows of 2 numbers"),
          matrix("[[1, 0.8], [0.8]]", "has 1 numbers in row 2; must have 2"),
          matrix("[[1, 0.8], [0.7, 1]]", "is not symmetric: 0.7 in row 2, column 1"),
          matrix("[[1, 0.8], [0.8, 2]]", "has 2 on its diagonal, in row 2; must be 1"),
          matrix("[[1, 1.5], [1.5, 1]]", "correlations must be from -1 to 1"),
          matrix("[[1, 1], [1, 1]]", "has the smallest eigenvalue"),
      });
}

TEST_CASE("a key stands in one table of correlations only") {
  const std::string again = "[[correlated]]\n" + kJawMassKeys + "\n" + kJawAndMass + "\n";
  CHECK_THAT(sweep_error(replaced(correlated_text(), "[placement]", again + "[placement]")),
             Catch::Matchers::Contains("correlated.1.keys: has \"friction.jaw\", which is named "
                                       "twice in [[correlated]]; must be named once"));
}

TEST_CASE("three inputs whose correlations contradict each other are refused") {
  const std::string text = replaced(correlated_text(), "support = 0.3",
                                    "support = { distribution = \"uniform\", min = 0, max = 1 }");
  const auto error = [&](const std::string& matrix) {
    return sweep_error(replaced(replaced(text, kJawMassKeys,
                                         "keys = [\"friction.jaw\", "
                                         "\"friction.support\", \"part.mass_kg\"]"),
                                kJawAndMass, "matrix = " + matrix));
  };
  // The eigenvalues are 1.9 twice, and 1 - 2 * 0.9.
  CHECK_THAT(
      error("[[1, 0.9, 0.9], [0.9, 1, -0.9], [0.9, -0.9, 1]]"),
      Catch::Matchers::Contains("has the smallest eigenvalue -0.8; must be positive definite"));
  CHECK(error("[[1, 0.9, 0.9], [0.9, 1, 0.9], [0.9, 0.9, 1]]") == "(no error)");
}

TEST_CASE("lots that leave too little for a correlation are refused") {
  const std::string distribution =
      "{ distribution = \"normal\", mean = 0.05, sigma = 0.001, lot_sigma = ";
  const std::string text =
      replaced(correlated_text(), "{ distribution = \"uniform\", min = 0.04, max = 0.06 }", "LAW");
  // Friction has no lots: all of the correlation is the part's, which takes 0.8^2 of the variance
  // of the mass. Lots may take 1 - 0.8^2 = 0.6^2.
  CHECK(sweep_error(replaced(text, "LAW", distribution + "0.0005 }")) == "(no error)");
  CHECK_THAT(sweep_error(replaced(text, "LAW", distribution + "0.0009 }")),
             Catch::Matchers::Contains("correlated.0.matrix: does not go with the lot_sigma"));
}
