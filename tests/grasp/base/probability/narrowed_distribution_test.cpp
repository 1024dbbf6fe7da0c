#include <catch2/catch.hpp>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap::testing {

TEST_CASE("a narrowed distribution is half as wide about its centre", "[statistics]") {
  const Distribution uniform = Uniform{0.1, 0.5};
  const Distribution half = uniform.widened(0.5);
  for (const double u : {0.001, 0.3, 0.5, 0.9}) {
    CHECK(half.quantile(u) == Approx(0.3 + (uniform.quantile(u) - 0.3) / 2).epsilon(1e-12));
  }
  const Distribution normal = Normal{.mean = 0.2, .sigma = 0.1, .min = 0.0, .lot_sigma = 0.08};
  const Distribution narrow = normal.widened(0.5);
  CHECK(narrow == Normal{.mean = 0.2, .sigma = 0.05, .min = 0.0, .lot_sigma = 0.04});
  CHECK(narrow.widened(2) == normal);
  CHECK(normal.lot_share() == Approx(0.8));
  CHECK(normal.without_lots() == Normal{0.2, 0.1, 0.0});
}

TEST_CASE("a distribution in another unit has each of its values and widths times a factor",
          "[statistics]") {
  CHECK(Distribution(Normal{0.5, 0.25, 0, 1, 0.125}).scaled(2) == Normal{1, 0.5, 0, 2, 0.25});
  CHECK(Distribution(Discrete{{1, 2}, {0.25, 0.75}}).scaled(2) == Discrete{{2, 4}, {0.25, 0.75}});
}

TEST_CASE("a shifted distribution has each of its values greater by as much", "[statistics]") {
  CHECK(Distribution(Fixed{0.5}).shifted(0.25) == Fixed{0.75});
  CHECK(Distribution(Normal{0.5, 0.1, 0.25, 1}).shifted(0.25) == Normal{0.75, 0.1, 0.5, 1.25});
  CHECK(Distribution(Triangular{0.5, 0.75, 1}).shifted(-0.25) == Triangular{0.25, 0.5, 0.75});
  CHECK(Distribution(Histogram{{1, 2, 4}, {0.25, 0.75}}).shifted(1) ==
        Histogram{{2, 3, 5}, {0.25, 0.75}});
}

}  // namespace graspmap::testing
