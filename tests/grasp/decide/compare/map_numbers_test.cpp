#include "grasp/decide/compare/map_numbers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace graspmap;

TEST_CASE("an interval from replicates that are off to one side holds its estimate",
          "[statistics]") {
  std::vector<double> replicates;
  for (int k = 0; k <= 100; ++k) replicates.push_back(10 + 0.1 * k);  // 10 to 20
  const Interval above = bias_corrected_interval(8, replicates, 0.8);
  CHECK(above.low == Approx(16 - 19));  // the replicates of 11 to 19, mirrored at 8
  CHECK(above.high == Approx(19));
  const Interval middle = bias_corrected_interval(15, replicates, 0.8);
  CHECK(middle.low == Approx(11));
  CHECK(middle.high == Approx(19));
  const Interval below = bias_corrected_interval(25, replicates, 0.8);
  CHECK(below.low == Approx(11));
  CHECK(below.high == Approx(39));
}

TEST_CASE("replicates without a number are left out", "[statistics]") {
  const Interval interval = bias_corrected_interval(1, {std::nan(""), 1, std::nan("")}, 0.95);
  CHECK(interval.low == 1);
  CHECK(interval.high == 1);
  CHECK(std::isnan(bias_corrected_interval(1, {std::nan("")}, 0.95).low));
  CHECK(std::isnan(bias_corrected_interval(std::nan(""), {1.0}, 0.95).high));
}
