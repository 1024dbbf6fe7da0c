#include "grasp/decide/statistics/compared_cells.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace graspmap;

TEST_CASE("adjusted p-values of the example of Benjamini and Hochberg", "[statistics]") {
  // Their table of 15 p-values (1995, section 3.2): at q = 0.05 the first four are rejected.
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<double> adjusted = benjamini_hochberg(p);
  CHECK(adjusted[0] == Approx(0.0015));
  CHECK(adjusted[3] == Approx(0.0095 * 15 / 4));
  CHECK(adjusted[3] <= 0.05);
  CHECK(adjusted[4] > 0.05);
  CHECK(adjusted[14] == 1.0);
}

TEST_CASE("adjusted p-values keep the order of the input and never fall with p", "[statistics]") {
  const std::vector<double> adjusted = benjamini_hochberg(std::vector<double>{0.04, 0.03, 0.5});
  CHECK(adjusted[0] == Approx(0.06));
  CHECK(adjusted[1] == Approx(0.06));  // 0.09, lowered to that of the larger p-value
  CHECK(adjusted[2] == Approx(0.5));
}

TEST_CASE("a cell without a test does not count", "[statistics]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> adjusted = benjamini_hochberg(std::vector<double>{none, 0.01, none});
  CHECK(std::isnan(adjusted[0]));
  CHECK(adjusted[1] == Approx(0.01));
  CHECK(benjamini_hochberg({}).empty());
}
