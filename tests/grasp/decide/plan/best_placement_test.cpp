#include "grasp/decide/plan/best_placement.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/decide/plan/placement_plan.hpp"
#include "tests/support/success_fields.hpp"

namespace graspmap::testing {
namespace {

/// 1 in a disc, 0 around it.
auto disc(double x, double y, double radius) {
  return [=](const PlacementVector& at) {
    return std::hypot(at[0] - x, at[1] - y) < radius ? 1.0 : 0.0;
  };
}

/// 1 in a rectangle about the origin, 0 around it.
auto rectangle(double a, double b) {
  return [=](const PlacementVector& at) {
    return std::abs(at[0]) < a && std::abs(at[1]) < b ? 1.0 : 0.0;
  };
}

const FieldAxes kSquareMap = plane({-10, 10, 20}, {-10, 10, 20});

PlacementError both(const Distribution& error) { return {error, error, {}}; }

TEST_CASE("the best placement is the middle of a disc", "[plan]") {
  const SuccessField field = field_of(kSquareMap, 10, 1, disc(1.5, -2, 5));
  for (const double sigma : {0.5, 2.0, 3.5}) {
    CAPTURE(sigma);
    const auto best = best_placement(field, both(normal_error(sigma)));
    REQUIRE(best);
    CHECK(best->at[0] == Approx(1.5).margin(0.5));
    CHECK(best->at[1] == Approx(-2).margin(0.5));
    // P of a disc of radius R at its centre is 1 - exp(-R^2 / (2 sigma^2)).
    CHECK(best->success.probability == Approx(1 - std::exp(-12.5 / sigma / sigma)).margin(0.02));
  }
}

TEST_CASE("a plateau of sure success is aimed at in its middle", "[plan]") {
  const SuccessField field = field_of(kSquareMap, 8, 2, rectangle(8, 4));
  const auto best = best_placement(field, both(normal_error(0.3)));
  REQUIRE(best);
  CHECK(best->success.probability == Approx(1.0));
  CHECK(std::abs(best->at[0]) <= 0.5);
  CHECK(std::abs(best->at[1]) <= 0.5);
}

TEST_CASE("another plateau is a runner-up and a shoulder is not", "[plan]") {
  const SuccessField two = field_of(kSquareMap, 50, 3, [](const PlacementVector& at) {
    return 0.95 * disc(-5, -5, 4)(at) + 0.7 * disc(5, 5, 4)(at) + 0.2 * disc(-6, 6, 2)(at);
  });
  const PlacementError error = both(normal_error(1));
  const auto best = best_placement(two, error);
  REQUIRE(best);
  const std::vector<PlannedPlacement> found = best_placements(two, error, *best);
  REQUIRE(found.size() == 2);  // the third has less than half of the best's probability
  CHECK(found[0].at[0] == Approx(-5).margin(1));
  CHECK(found[1].at[1] == Approx(5).margin(1));
  CHECK(found[1].success.shares[static_cast<std::size_t>(Outcome::kWedged)] ==
        Approx(0.3).margin(0.05));
  CHECK(found[0].at == best->at);
  const SuccessField one = field_of(kSquareMap, 10, 4, [](const PlacementVector& at) {
    return 0.6 * disc(0, 0, 6)(at) + 0.3 * disc(-2, 0, 3)(at);
  });
  CHECK(best_placements(one, error, *best_placement(one, error)).size() == 1);
}

TEST_CASE("without success there is no best placement", "[plan]") {
  const SuccessField field = field_of(kSquareMap, 2, 5, [](const auto&) { return 0.0; });
  CHECK_FALSE(best_placement(field, both(normal_error(1))));
  CHECK_FALSE(unselected_success(field, both(normal_error(1))));
  CHECK_FALSE(
      largest_error(
          field, 0.1, Evidence::kEstimate, [](double d) { return both(uniform_error(d)); }, kZ95)
          .reached);
}

TEST_CASE("choosing among equals looks better than it is and other trials tell", "[plan]") {
  const FieldAxes axes = plane({0, 6, 6}, {0, 6, 6});
  constexpr int kExperiments = 60;
  double selected = 0;
  double unselected = 0;
  for (std::uint64_t e = 0; e < kExperiments; ++e) {
    const SuccessField field = field_of(axes, 10, 1000 + e, [](const auto&) { return 0.5; });
    selected += best_placement(field, PlacementError{})->success.probability / kExperiments;
    unselected += unselected_success(field, PlacementError{})->probability / kExperiments;
  }
  CHECK(selected > 0.7);
  CHECK(unselected == Approx(0.5).margin(0.05));
}

TEST_CASE("the angle is planned too", "[plan]") {
  const FieldAxes axes = {Axis{-6, 6, 6}, Axis{-6, 6, 6}, Axis{-0.6, 0.6, 6}};
  const SuccessField field = field_of(axes, 12, 6, [](const PlacementVector& at) {
    const double z = at[0] * at[0] / 8 + at[1] * at[1] / 8 + std::pow((at[2] - 0.2) / 0.25, 2);
    return std::exp(-z / 2);
  });
  const auto with = best_placement(field, {normal_error(1), normal_error(1), normal_error(0.1)});
  REQUIRE(with);
  CHECK(with->at[2] == Approx(0.2).margin(0.11));
  CHECK(std::abs(with->at[0]) <= 1.5);
  // Exact: the middle of a slice.
  const auto exact = best_placement(field, both(normal_error(1)));
  CHECK((exact->at[2] == Approx(0.1) || exact->at[2] == Approx(0.3)));
}

// ---- The largest error
// ---------------------------------------------------------------------------

const ErrorOfSize kSquare = [](double d) { return both(uniform_error(d)); };
const ErrorOfSize kCircle = [](double s) { return both(normal_error(s)); };

/// The largest size at which a falling function is at least `required`.
template <typename Function>
double inverse(double required, const Function& p) {
  double low = 0.01;
  double high = 100;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (p(middle) >= required ? low : high) = middle;
  }
  return low;
}

TEST_CASE("the largest error on a rectangle is the one of the closed form", "[plan]") {
  const SuccessField field = field_of(plane({-8, 8, 16}, {-8, 8, 16}), 6, 7, rectangle(4, 3));
  for (const double required : {0.7, 0.9}) {
    CAPTURE(required);
    const ErrorLimit square = largest_error(field, required, Evidence::kEstimate, kSquare, kZ95);
    CHECK(square.reached);
    CHECK_FALSE(square.limited_by_map);
    const double d =
        inverse(required, [](double s) { return std::min(4 / s, 1.0) * std::min(3 / s, 1.0); });
    CHECK(square.size_mm == Approx(d).margin(0.02));
    CHECK(square.placement.success.probability >= required);
    const ErrorLimit circle = largest_error(field, required, Evidence::kEstimate, kCircle, kZ95);
    const double sigma = inverse(required, [](double s) {
      return std::erf(4 / s / std::sqrt(2.0)) * std::erf(3 / s / std::sqrt(2.0));
    });
    CHECK(circle.size_mm == Approx(sigma).margin(0.02));
    const ErrorLimit sure = largest_error(field, required, Evidence::kConfidence, kCircle, kZ95);
    CHECK(sure.size_mm < circle.size_mm);
    CHECK(sure.placement.success.interval.low >= required);
  }
}

TEST_CASE("the proportions of an ellipse are kept", "[plan]") {
  const SuccessField field = field_of(kSquareMap, 6, 8, rectangle(6, 3));
  const ErrorLimit ellipse = largest_error(
      field, 0.8, Evidence::kEstimate,
      [](double s) {
        return PlacementError{normal_error(s), normal_error(s / 2), {}};
      },
      kZ95);
  const double sigma =
      inverse(0.8, [](double s) { return std::pow(std::erf(6 / s / std::sqrt(2.0)), 2); });
  CHECK(ellipse.size_mm == Approx(sigma).margin(0.02));
  CHECK(ellipse.error[1].width() == Approx(ellipse.size_mm / 2));
}

TEST_CASE("what is never reached and what the map is too small for are told", "[plan]") {
  const SuccessField half = field_of(kSquareMap, 10, 9, [](const auto&) { return 0.5; });
  CHECK_FALSE(largest_error(half, 0.95, Evidence::kEstimate, kCircle, kZ95).reached);
  const SuccessField all = field_of(kSquareMap, 6, 10, [](const auto&) { return 1.0; });
  const ErrorLimit limit = largest_error(all, 0.9, Evidence::kEstimate, kCircle, kZ95);
  CHECK(limit.reached);
  CHECK(limit.limited_by_map);
  const double sigma =
      inverse(0.9, [](double s) { return std::pow(std::erf(10 / s / std::sqrt(2.0)), 2); });
  CHECK(limit.size_mm == Approx(sigma).margin(0.02));
  // Too few trials for the lower end of any interval.
  const SuccessField few =
      field_of(plane({0, 3, 3}, {0, 3, 3}), 1, 11, [](const auto&) { return 1.0; });
  CHECK_FALSE(largest_error(few, 0.99, Evidence::kConfidence, kSquare, kZ95).reached);
}

TEST_CASE("the largest square of good cells is found", "[plan]") {
  const SuccessField field = field_of(kSquareMap, 20, 12, [](const PlacementVector& at) {
    return rectangle(4, 3)({at[0] - 1, at[1] + 2, 0});
  });
  const GuaranteedSquare square = largest_guaranteed_square(field, 0.9, Evidence::kEstimate, kZ95);
  CHECK(square.found);
  CHECK(square.half_width_mm == 3.0);
  CHECK(square.x_mm == Approx(1));
  CHECK(square.y_mm == Approx(-2));
  CHECK_FALSE(square.limited_by_map);
  // 20 of 20 are at least 0.839 with 95 % confidence.
  CHECK(largest_guaranteed_square(field, 0.83, Evidence::kConfidence, kZ95).half_width_mm == 3.0);
  CHECK_FALSE(largest_guaranteed_square(field, 0.85, Evidence::kConfidence, kZ95).found);
  const SuccessField all =
      field_of(plane({0, 6, 3}, {0, 5, 10}), 2, 13, [](const auto&) { return 1.0; });
  const GuaranteedSquare whole = largest_guaranteed_square(all, 0.9, Evidence::kEstimate, kZ95);
  CHECK(whole.half_width_mm == 2.5);
  CHECK(whole.limited_by_map);
}

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

TEST_CASE("an error finer than the trials show is judged with half a cell", "[plan]") {
  const auto best = [](const SuccessField& field, double sigma_mm) {
    PlanQuestion request;
    request.error.emplace().position_sigma_mm = std::array{sigma_mm, sigma_mm};
    const std::optional<PlannedPlacement> found = first_placement(field, request);
    REQUIRE(found);
    const PlacementPlan plan = make_plan(field, request);
    CHECK(plan.for_error->placements.front().at == found->at);
    CHECK(plan.for_error->placements.front().judged_with == found->judged_with);
    return *found;
  };
  const SuccessField field = field_of(kMap, 12, 1, letter_l);
  const PlannedPlacement fine = best(field, 0.3);
  REQUIRE(fine.judged_with);
  CHECK((*fine.judged_with)[0] == Approx(0.5));
  CHECK((*fine.judged_with)[1] == Approx(0.5));
  CHECK(answer_of(fine, 0.95) == Answer::kYes);
  // As if it were asked for half a cell.
  const PlannedPlacement half = best(field, 0.5);
  CHECK_FALSE(half.judged_with);
  CHECK(half.at == fine.at);
  CHECK(half.success.probability == fine.success.probability);
  // Half a cell would be too much for a strip that is narrower than that: the trials decide alone.
  const SuccessField strip =
      field_of(kMap, 40, 1, [](const PlacementVector& at) { return std::abs(at[0] - 0.5) < 0.2; });
  CHECK_FALSE(best(strip, 0.1).judged_with);
}

TEST_CASE("an error is not widened beyond the map", "[plan]") {
  PlanQuestion request;
  const SuccessField one =
      field_of(plane({-2, 2, 1}, {-3, 3, 1}), 2000, 1, [](const auto&) { return 1.0; });
  for (const double sigma : {0.1, 0.3}) {
    request.error.emplace().position_sigma_mm = std::array{sigma, sigma};
    const auto best = first_placement(one, request);
    REQUIRE(best);
    CHECK(best->success.probability == Approx(1).margin(1e-4));
    CHECK(answer_of(best, 0.95) == Answer::kYes);
  }
  // What is simulated with the error itself stands beside what is judged with another.
  request.error->position_sigma_mm = std::array{0.1, 0.1};
  PlacementPlan plan = make_plan(one, request);
  WidthLimits& widths = plan.widths.emplace();
  widths.today.trials = widths.today.successes = 500;
  widths.interval = {0.992, 1};
  CHECK_THAT(plan_text(plan),
             Catch::Contains("too sparse for less.\nOf new grasps with the error itself 100.0 % "
                             "succeed: see below.\n"));
}

TEST_CASE("an error that is not widened is judged with nothing else", "[plan]") {
  const SuccessField field =
      field_of(plane({-2, 2, 2}, {-3, 3, 3}), 6, 1, [](const auto&) { return 1.0; });
  for (const double sigma : {0.0, 50.0}) {
    PlanQuestion request;
    request.error.emplace().position_sigma_mm = std::array{sigma, sigma};
    PlacementPlan plan = make_plan(field, request);
    CHECK(answer_of(plan.for_error->best(), 0.95) == Answer::kUnknown);
    CHECK_FALSE(plan.for_error->placements.front().judged_with);
    plan.more = MoreTrials{"graspmap", "folder", 6};
    const std::string text = plan_text(plan);
    if (sigma == 0) {
      CHECK_THAT(text, Catch::StartsWith("Too few trials") && Catch::Contains("To know: "));
    } else {
      // erf(2 / (50 sqrt 2)) erf(3 / (50 sqrt 2)) = 0.0015 of the error lies on the map.
      CHECK_THAT(text, Catch::StartsWith("The map is too small to tell") &&
                           Catch::Contains("99.8 % of the error lies beyond the map.") &&
                           !Catch::Contains("To know") && !Catch::Contains("more trials"));
    }
  }
}

TEST_CASE("of an error much finer than the cells a finer map tells more than more trials",
          "[plan]") {
  // 4 of 5 succeed, at random.
  const SuccessField field =
      field_of(plane({-3, 3, 6}, {-3, 3, 6}), 64, 1, [](const auto&) { return 0.8; });
  PlanQuestion request;
  request.plateau_probability = 0.78;
  request.error.emplace().position_sigma_mm = std::array{0.2, 0.2};
  PlacementPlan plan = make_plan(field, request);
  plan.more = MoreTrials{"graspmap", "folder", 64};
  PlannedPlacement& best = plan.for_error->placements.front();
  best.at = {0.5, -1, 0};
  best.judged_with.reset();
  best.success.probability = 0.8;
  best.success.interval = {0.7, 0.9};
  best.success.effective_trials = 32;
  const std::int64_t factor = trials_factor(0.8 * 32, 32, 0.78);
  REQUIRE(factor > 1);
  // Cells of 0.2 mm in place of 1 mm: 25 times the share of the trials.
  CHECK_THAT(answer_text(plan, best),
             Catch::Contains("To know, map its surroundings in finer cells, and plan with that "
                             "map:\ngraspmap run folder/config.toml --out folder_near "
                             "--trials-per-cell " +
                             std::to_string((64 * factor + 24) / 25) +
                             " \\\n  --set placement.x_min_mm=-0.3 --set placement.x_max_mm=1.3 "
                             "--set placement.x_cells=8 \\\n  --set placement.y_min_mm=-1.8 --set "
                             "placement.y_max_mm=-0.2 --set placement.y_cells=8\n"));
  plan.more->folder.clear();
  CHECK_THAT(
      answer_text(plan, best),
      Catch::Contains("map:\nsweep.trials_per_cell=" + std::to_string((64 * factor + 24) / 25) +
                      "\n placement.x_min_mm=-0.3 placement.x_max_mm=1.3 "
                      "placement.x_cells=8\n placement.y_min_mm=-1.8 "
                      "placement.y_max_mm=-0.2 placement.y_cells=8\n"));
}

TEST_CASE("what is said of the largest errors is what their table says", "[plan]") {
  PlacementPlan plan;
  plan.axes = kSquareMap;
  plan.request.required_probability = 0.97;
  RequiredPlan& required = plan.for_probability.emplace();
  required.probability = 0.97;
  const ErrorLimit one{true, false, 1.01, both(uniform_error(1.01)), {}};
  required.square = {one, one};
  CHECK_THAT(plan_text(plan),
             Catch::StartsWith("There are too few trials to promise 97 % at 95 % confidence, for a "
                               "normal error.\n97 % or more of the grasps succeed up to a "
                               "positioning error of\n±1.01 mm (uniform in x and y),\n"));
  required.square = {{true, false, 0.0, {}, {}}, {}};
  CHECK_THAT(plan_text(plan),
             Catch::Contains("for any error.\n97 % or more of the grasps succeed without a "
                             "positioning error only,\nby the estimate"));
}

TEST_CASE("the plan and its JSON have the box", "[plan]") {
  const SuccessField field = field_of(kMap, 12, 1, letter_l);
  PlanQuestion request;
  request.error.emplace().position_sigma_mm = std::array{0.4, 0.4};
  const PlacementPlan plan = make_plan(field, request);
  const PlannedPlacement& best = plan.for_error->placements.front();
  const PlacementBox box = as_good_box(field, plan.for_error->error, best);
  CHECK(best.as_good.low == box.low);
  CHECK(best.as_good.high == box.high);
  CHECK_THAT(json_document(plan_fields(plan)),
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
