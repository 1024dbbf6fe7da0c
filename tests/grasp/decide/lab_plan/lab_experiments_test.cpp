#include "grasp/decide/lab_plan/lab_experiments.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

const CellGrid kMap{{-10, 10, 20}, {-20, 0, 20}};

bool same(const IntendedPlacement& a, const IntendedPlacement& b) {
  return a.x_mm == b.x_mm && a.y_mm == b.y_mm && a.theta_rad == b.theta_rad;
}

}  // namespace

TEST_CASE("lab design: the first placements are even, however many are taken") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto places = even_placements(kMap, 400, seed);
    for (const std::size_t count : {16U, 64U, 400U}) {
      std::array<int, 16> in_block{};
      for (std::size_t k = 0; k < count; ++k) {
        const int i = std::min(static_cast<int>((places[k].x_mm + 10) / 5), 3);
        const int j = std::min(static_cast<int>((places[k].y_mm + 20) / 5), 3);
        ++in_block[static_cast<std::size_t>(4 * j + i)];
      }
      const double mean = static_cast<double>(count) / 16;
      const auto [least, most] = std::minmax_element(in_block.begin(), in_block.end());
      CHECK(*least >= std::floor(0.7 * mean));
      CHECK(*most <= std::ceil(1.3 * mean) + 1);
    }
  }
}

TEST_CASE("lab design: placements are on the map, in hundredths of a millimetre") {
  const CellGrid map{{-1.005, 1.005, 3}, {5, 5, 1}, {-0.1, 0.1, 4}};
  const auto places = even_placements(map, 300, 7);
  for (const IntendedPlacement& at : places) {
    CHECK(map.x_mm.contains(at.x_mm));
    CHECK(at.y_mm == 5);
    CHECK(map.theta_rad.contains(at.theta_rad));
    CHECK(std::abs(at.x_mm * 100 - std::round(at.x_mm * 100)) < 1e-9);
  }
  CHECK(same(even_placements(map, 10, 7)[9], places[9]));
  CHECK_FALSE(same(even_placements(map, 10, 8)[9], places[9]));
}

TEST_CASE("lab design: every fifth informative placement is one of the others") {
  std::vector<double> information(100, 0.01);
  for (std::size_t k = 50; k < 90; ++k) information[k] = 1.0;
  const auto chosen = informative_placements(information, 20);
  REQUIRE(chosen.size() == 20);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    CHECK((information[chosen[k]] == 1.0) == (k % 5 != 4));
  }
  CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == 20);
}

TEST_CASE("lab design: informative placements end with the good ones") {
  std::vector<double> information(100, 0.0);
  for (std::size_t k = 0; k < 8; ++k) information[10 * k] = 1.0;
  const auto chosen = informative_placements(information, 50);
  const auto good = std::count_if(chosen.begin(), chosen.end(),
                                  [&](std::size_t k) { return information[k] == 1.0; });
  CHECK(good == 8);
  CHECK(chosen.size() == 9);
  CHECK(informative_placements(std::vector<double>(30, 0.0), 10) ==
        std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("lab design: repeated placements, and sessions that each have all of the map") {
  LabDesign design{even_placements(kMap, 5, 1), 2, 3};
  CHECK(design.place_of(0) == 0);
  CHECK(design.place_of(1) == 0);
  CHECK(design.place_of(9) == 4);
  CHECK(design.place_of(10) == 0);
  CHECK(design.session_of(4) == 1);
  design.sessions = 0;
  CHECK(design.session_of(4) == 0);
}

TEST_CASE("lab design: a placement is blocked where the fingers, or an error off, meet the part") {
  SweepConfig config = read_sweep_config(testing::source_dir() + "/configs/l_bracket.toml", {});
  // The arm is from y = -10 to 0, and the fingertips are 0.1 mm below it; then the robot errs.
  const std::vector<IntendedPlacement> places = {{6, -30, 0}, {6, -5, 0}, {6, -10.1, 0}};
  config.placement.noise_theta_rad = Fixed{0.0};
  CHECK(blocked_placements(config, places, {}) == std::vector{false, true, false});
  config.placement.noise_y_mm = Normal{0.0, 0.2};
  CHECK(blocked_placements(config, places, {}) == std::vector{false, true, true});
}

namespace {

/// Ten placements at which `model` and `lab` of 1,000 simulated trials succeed, which a shift of
/// 1 mm in x would change from `model` by 100 and more.
LabForecast forecast_of(int model, int lab) {
  LabForecast forecast;
  for (std::size_t k = 0; k < 10; ++k) {
    forecast.design.places.push_back({static_cast<double>(k), 0, 0});
    forecast.groups.push_back(k);
    PlacePrediction at;
    at.counts = {model, 1000, 0};
    at.changed[static_cast<std::size_t>(Change::kShiftX)] = {(model - 100) / 1000.0,
                                                             (model + 100) / 1000.0};
    forecast.model.places.push_back(at);
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
  forecast.model.draws = {10, std::vector<float>(200)};
  for (std::size_t k = 0; k < 200; ++k) forecast.model.draws.success[k] = k < 100 ? 0.0F : 1.0F;
  forecast.lab.draws = forecast.model.draws;
  const LabPower learn =
      simulate_power(forecast, request_of(LearnGoal{Change::kLevel, 0.3}), 100, 40, 1, {});
  // Two sessions are two throws of a coin, however many trials they have.
  for (const double width : learn.widths) CHECK(width > 0.8);
}

}  // namespace graspmap::testing
