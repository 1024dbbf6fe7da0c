#include <catch2/catch.hpp>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap::testing {

TEST_CASE("a narrowed law is half as wide about its centre", "[statistics]") {
  const Distribution uniform{DistributionKind::kUniform, 0, 0, 0.1, 0.5};
  const Distribution half = narrowed_law(uniform, 0.5);
  for (const double u : {0.001, 0.3, 0.5, 0.9}) {
    CHECK(quantile(half, u) == Approx(0.3 + (quantile(uniform, u) - 0.3) / 2).epsilon(1e-12));
  }
  Distribution normal{DistributionKind::kNormal, 0.2, 0.1, 0.0};
  normal.lot_sigma = 0.08;
  const Distribution narrow = narrowed_law(normal, 0.5);
  CHECK(narrow.sigma == 0.05);
  CHECK(narrow.lot_sigma == 0.04);
  CHECK(narrow.mean == 0.2);
  CHECK(narrow.min == 0.0);
  const Distribution wide = narrowed_law(narrow, 2);
  CHECK(wide.sigma == normal.sigma);
}

}  // namespace graspmap::testing
