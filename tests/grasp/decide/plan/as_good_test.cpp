#include "grasp/decide/plan/as_good.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/decide/plan/placement_plan.hpp"
#include "tests/support/success_fields.hpp"

namespace graspmap::testing {
namespace {

const FieldAxes kMap = plane({-10, 10, 20}, {-10, 10, 20});
const PlacementError kError{normal_error(0.4), normal_error(0.4), {}};

/// Sure success in the shape of an L: its bounding box is mostly nothing.
double letter_l(const PlacementVector& at) {
  const bool upright = std::abs(at[0] + 6) < 3 && std::abs(at[1]) < 9;
  const bool foot = std::abs(at[0]) < 9 && std::abs(at[1] + 7) < 2;
  return upright || foot ? 1.0 : 0.0;
}

TEST_CASE("every placement in the box of those as good is as good", "[plan]") {
  const SuccessField field = field_of(kMap, 12, 1, letter_l);
  const auto best = best_placement(field, kError);
  REQUIRE(best);
  // The bounding box of the tied ones reaches where no grasp succeeds.
  CHECK(best->tied_max[0] - best->tied_min[0] > 12);
  CHECK(best->tied_max[1] - best->tied_min[1] > 12);
  const PlacementBox box = as_good_box(field, kError, *best);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(box.low[k] <= best->at[k]);
    CHECK(box.high[k] >= best->at[k]);
  }
  // Either arm of the L, not both.
  const double area = (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
  CHECK(area > 20);
  CHECK(area < 6 * 18);
  for (double x = box.low[0]; x <= box.high[0] + 1e-9; x += 0.25) {
    for (double y = box.low[1]; y <= box.high[1] + 1e-9; y += 0.25) {
      CAPTURE(x, y);
      CHECK(expected_success_probability(field, kError, {x, y, 0}) >=
            best->highest - best->standard_error);
    }
  }
}

TEST_CASE("the plan and its JSON have the box", "[plan]") {
  const SuccessField field = field_of(kMap, 12, 1, letter_l);
  PlanRequest request;
  request.position_sigma_mm = std::array{0.4, 0.4};
  const PlacementPlan plan = make_plan(field, request);
  const PlannedPlacement& best = plan.for_error->placements.front();
  const PlacementBox box = as_good_box(field, kError, best);
  CHECK(best.as_good.low == box.low);
  CHECK(best.as_good.high == box.high);
  CHECK_THAT(plan_json(plan),
             Catch::Contains(fmt::format("\"as_good\": {{\n        \"x_mm\": [\n          {},\n"
                                         "          {}\n        ],",
                                         box.low[0], box.high[0])));
  CHECK_THAT(plan_text(plan), Catch::Contains(fmt::format("x from {:.6g} to {:.6g} mm, y from",
                                                          box.low[0], box.high[0])) &&
                                  Catch::Contains("the largest rectangle of such placements"));
}

TEST_CASE("a box of angles", "[plan]") {
  const FieldAxes axes = {Axis{-6, 6, 6}, Axis{-6, 6, 6}, Axis{-0.6, 0.6, 6}};
  const SuccessField field = field_of(axes, 12, 6, [](const PlacementVector& at) {
    return std::abs(at[0]) < 4 && std::abs(at[1]) < 4 && at[2] > -0.4 ? 1.0 : 0.0;
  });
  const PlacementError error{normal_error(0.3), normal_error(0.3), normal_error(0.02)};
  const auto best = best_placement(field, error);
  const PlacementBox box = as_good_box(field, error, *best);
  CHECK(box.low[2] > -0.4);
  CHECK(box.low[2] <= best->at[2]);
  CHECK(box.high[2] - box.low[2] > 0.3);
  CHECK(box.high[0] - box.low[0] > 2);
}

}  // namespace
}  // namespace graspmap::testing
