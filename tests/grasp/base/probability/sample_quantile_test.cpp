#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/probability/distribution.hpp"

TEST_CASE("a quantile of a sample is the value at the rounded rank") {
  using graspmap::sample_quantile;
  const std::vector<double> values{5, 1, 4, 2, 3};
  CHECK(sample_quantile(values, 0.0) == 1);
  CHECK(sample_quantile(values, 0.5) == 3);
  CHECK(sample_quantile(values, 0.9) == 5);
  CHECK(sample_quantile(values, 0.8) == 4);
  CHECK(sample_quantile(values, 1.0) == 5);
  CHECK(sample_quantile({7}, 0.3) == 7);
  CHECK(std::isnan(sample_quantile({}, 0.5)));
}
