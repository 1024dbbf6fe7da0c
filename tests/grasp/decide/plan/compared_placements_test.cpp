#include "grasp/decide/plan/compared_placements.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "tests/support/success_fields.hpp"

namespace graspmap::testing {
namespace {

TEST_CASE("trials that count for both placements cancel in their difference", "[plan]") {
  const FieldAxes axes = plane({-10, 10, 20}, {-10, 10, 20});
  const ErrorMixture error = PlacementError{normal_error(1.5), normal_error(1.5), {}};
  const PlacementVector reference{0.0, 0.0, 0.0};
  const PlacementVector beside{0.75, -0.5, 0.0};
  constexpr int kMaps = 300;
  double told = 0;
  double single = 0;
  double squares = 0;
  double sum = 0;
  for (std::uint64_t k = 0; k < kMaps; ++k) {
    const SuccessField field =
        field_of(axes, 8, 100 + k, [](const PlacementVector& at) { return 0.5 + 0.03 * at[0]; });
    const ComparedPlacements compared(field, error, reference, 1.0);
    told += compared.standard_error(beside) / kMaps;
    CHECK(compared.standard_error(reference) < 1e-7);
    const double difference = expected_success_probability(field, error, beside) -
                              expected_success_probability(field, error, reference);
    sum += difference;
    squares += difference * difference;
    const ExpectedSuccess p = expected_success(field, error, reference, 1.0);
    single += (p.interval.high - p.interval.low) / 2 / kMaps;
  }
  const double mean = sum / kMaps;
  CHECK(mean == Approx(0.03 * 0.75).margin(0.004));
  CHECK(told == Approx(std::sqrt(squares / kMaps - mean * mean)).epsilon(0.12));
  CHECK(told < 0.6 * single);
  // By a design effect of a quarter half as much.
  const SuccessField field = field_of(axes, 8, 1, [](const auto&) { return 0.5; });
  CHECK(ComparedPlacements(field, error, reference, 0.25).standard_error(beside) ==
        Approx(0.5 * ComparedPlacements(field, error, reference, 1.0).standard_error(beside)));
}

}  // namespace
}  // namespace graspmap::testing
