#include "grasp/decide/lab_plan/lab_experiments.hpp"

#include <catch2/catch.hpp>

namespace graspmap::testing {
namespace {

/// Ten placements at which `model` and `lab` of 1,000 simulated trials succeed, which a shift of
/// 1 mm in x would change from `model` by 100 and more.
LabForecast forecast_of(int model, int lab) {
  LabForecast forecast;
  forecast.models.resize(1);
  for (std::size_t k = 0; k < 10; ++k) {
    forecast.design.places.push_back({static_cast<double>(k), 0, 0});
    forecast.groups.push_back(k);
    PlacePrediction at;
    at.counts = {model, 1000, 0};
    at.changed[static_cast<std::size_t>(Change::kShiftX)] = {(model - 100) / 1000.0,
                                                             (model + 100) / 1000.0};
    forecast.models.front().places.push_back(at);
    at.counts = {lab, 1000, 0};
    forecast.lab.places.push_back(at);
  }
  forecast.steps.fill(1.0);
  return forecast;
}

LabRequest request_of(const LabGoal& goal) { return {goal, 0.8, 0.95}; }

}  // namespace

TEST_CASE("lab experiments: a true model is seldom found to differ, a wrong one often") {
  const LabRequest request = request_of(DetectGoal{});
  CHECK(simulate_power(forecast_of(500, 500), request, 30, 60, 1, {}).power() < 0.1);
  CHECK(simulate_power(forecast_of(500, 800), request, 40, 40, 1, {}).power() > 0.85);
}

TEST_CASE("lab experiments: agreement is shown with enough trials only") {
  const LabRequest request = request_of(AgreeGoal{0.15});
  CHECK(simulate_power(forecast_of(500, 500), request, 20, 20, 1, {}).power() == 0.0);
  CHECK(simulate_power(forecast_of(500, 500), request, 400, 20, 1, {}).power() > 0.9);
}

TEST_CASE("lab experiments: intervals become narrower and hold the truth") {
  const LabRequest request = request_of(LearnGoal{Change::kShiftX, 2.0});
  const LabPower few = simulate_power(forecast_of(500, 500), request, 50, 20, 1, {});
  const LabPower many = simulate_power(forecast_of(500, 500), request, 200, 20, 1, {});
  REQUIRE(few.widths.size() == 20);
  CHECK(many.widths[0] < 0.7 * few.widths[0]);
  CHECK(few.covered >= 17);
  CHECK(many.covered >= 17);
}

TEST_CASE("lab experiments: the same seed gives the same experiments on any number of threads") {
  const LabRequest request = request_of(DetectGoal{});
  const LabForecast forecast = forecast_of(500, 600);
  const SweepControl one{1};
  const SweepControl two{2};
  CHECK(simulate_power(forecast, request, 40, 20, 3, one).reached ==
        simulate_power(forecast, request, 40, 20, 3, two).reached);
}

TEST_CASE("lab experiments: the first guess is the normal approximation") {
  // (1.96 + 0.84)^2 0.24 / 0.1^2 for agreement at p = 0.6; its model's own noise is not in it.
  CHECK(approximate_trials(forecast_of(600, 600), request_of(AgreeGoal{0.1})) ==
        Approx(7.849 * 24).epsilon(0.01));
  // Information (0.2^2 - noise) / (0.5 0.5) of a trial.
  CHECK(approximate_trials(forecast_of(400, 600), request_of(DetectGoal{})) ==
        Approx(7.849 / 0.16).epsilon(0.03));
  CHECK(approximate_trials(forecast_of(500, 500), request_of(DetectGoal{})) > 1e8);
}

TEST_CASE("lab experiments: sessions share their friction") {
  LabForecast forecast = forecast_of(500, 500);
  forecast.design.sessions = 2;
  // In half of the draws everything succeeds, in the other half nothing.
  forecast.models.front().draws = {10, std::vector<float>(200)};
  for (std::size_t k = 0; k < 200; ++k)
    forecast.models.front().draws.success[k] = k < 100 ? 0.0F : 1.0F;
  forecast.lab.draws = forecast.models.front().draws;
  const LabPower learn =
      simulate_power(forecast, request_of(LearnGoal{Change::kLevel, 0.3}), 100, 40, 1, {});
  // Two sessions are two throws of a coin, however many trials they have.
  for (const double width : learn.widths) CHECK(width > 0.8);
}

}  // namespace graspmap::testing
