#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/mistakes.hpp"
#include "tests/support/sweep_config_equality.hpp"
#include "tests/support/sweep_text.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

const std::string kEllipsoid = "model = \"ellipsoid\"\ne_r_mm = 10\n";

std::string with_support(const std::string& keys) {
  return replaced(kConfigText, kEllipsoid, keys);
}

const std::string kPoints =
    "model = \"points\"\npoints_mm = [[-10, 0], [10, 0], [10, 8], [-10, -7]]\n";
const std::string kMatrix = "model = \"part-ellipsoid\"\nlength_mm = 9\n";
const std::string kForm = "model = \"fourth-order\"\nlength_mm = 9\n";

Mistake mistake(const std::string& keys, const std::string& at, const std::string& key,
                const std::string& says) {
  return {kEllipsoid, keys, at, "support." + key, says};
}

void check_reads_back(const std::string& keys) {
  const SweepConfig config = sweep_of(with_support(keys));
  check_equal(config, sweep_of(to_toml(config)));
}

}  // namespace

TEST_CASE("support points: loads by statics or given, frictions of their own") {
  const auto points_of = [](const std::string& keys) {
    return std::get<PointsSupport>(sweep_of(with_support(keys)).scenario.support).points;
  };
  const std::vector<SupportPoint> three =
      points_of("model = \"points\"\npoints_mm = [[-9.5, -1], [10.5, -1], [0.5, 9]]\n");
  REQUIRE(three.size() == 3);  // the centre of mass, (0.5, -1), is the middle of the first two
  CHECK(three[0].load_share == Approx(0.5));
  CHECK(three[1].load_share == Approx(0.5));
  CHECK(three[2].load_share == Approx(0.0).margin(1e-12));
  CHECK(three[1].friction_factor == 1.0);

  const std::vector<SupportPoint> given =
      points_of(kPoints + "load_shares = [0.1, 0.2, 0.3, 0.4]\nfriction_factors = [1, 2, 0, 1]\n");
  CHECK(given[2].load_share == 0.3);
  CHECK(given[1].friction_factor == 2.0);
  CHECK(given[3].point_P_mm == Vec2(-10, -7));
}

TEST_CASE("supports that are written read back the same to the last bit") {
  check_reads_back(kPoints);
  check_reads_back(kPoints + "load_shares = [0.1, 0.2, 0.3, 0.4]\nfriction_factors = [1, 2, 0, 1]");
  check_reads_back(kMatrix + "matrix = [[1.1, 0.1, 0.3], [0.1, 0.7, 0], [0.3, 0, 2]]\n");
  check_reads_back(kForm + "coefficients = [1, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 2.5, 0, 1.7]\n");
}

TEST_CASE("a support that cannot be is named with what is wrong") {
  const auto matrix = [](const std::string& rows) { return kMatrix + "matrix = " + rows + "\n"; };
  const auto form = [](const std::string& list) { return kForm + "coefficients = " + list + "\n"; };
  check_mistakes(
      kConfigText, "sweep.toml", sweep_error,
      {mistake("model = \"points\"\n", "[support]", "points_mm",
               "missing; must be [[x, y], ...], mm in P"),
       mistake("model = \"points\"\npoints_mm = [[0, 1], [2, 3]]\n", "points_mm", "points_mm",
               "is a list of 2; must be 3 to 16 points"),
       mistake("model = \"points\"\npoints_mm = [[0, 1], [2, 3], [0, 1]]\n", "points_mm",
               "points_mm", "points 1 and 3 are the same, (0, 1); must differ"),
       mistake("model = \"points\"\npoints_mm = [[2, 0], [9, 0], [5, 8]]\n", "points_mm",
               "points_mm", "the centre of mass (0.5, -1) lies outside of their convex hull"),
       mistake(kPoints + "load_shares = [0.5, 0.5]\n", "load_shares", "load_shares",
               "is a list of 2; must be a list of 4 finite numbers"),
       mistake(kPoints + "load_shares = [0.5, 0.5, 0.5, 0.5]\n", "load_shares", "load_shares",
               "sum up to 2; must sum up to 1"),
       mistake(kPoints + "load_shares = [0.5, 0.5, 0.5, -0.5]\n", "load_shares", "load_shares",
               "has -0.5; all must be >= 0"),
       mistake(kPoints + "friction_factors = [1, 1, 1]\n", "friction_factors", "friction_factors",
               "is a list of 3; must be a list of 4 finite numbers"),
       mistake(kPoints + "loads = [1, 1, 1, 1]\n", "loads = ", "loads", "unknown key"),
       mistake(kMatrix, "[support]", "matrix", "missing"),
       mistake(matrix("[[1, 0, 0], [0, 1, 0]]"), "matrix", "matrix", "has 2 rows; must have 3"),
       mistake(matrix("[[1, 0.5, 0], [0.4, 1, 0], [0, 0, 1]]"), "matrix", "matrix",
               "is not symmetric"),
       mistake(matrix("[[1, 2, 0], [2, 1, 0], [0, 0, 1]]"), "matrix", "matrix",
               "has the eigenvalues -1, 1, 3; must be positive definite"),
       mistake(form("[1, 2, 3]"), "coefficients", "coefficients",
               "is a list of 3; must be a list of 15 finite numbers"),
       mistake(form("[1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]"), "coefficients",
               "coefficients", "the polynomial is not convex; must be convex"),
       mistake(form("[1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]"), "coefficients",
               "coefficients", "the polynomial is not positive in all directions")});
}
