#include "bench/compare/comparison.hpp"

#include <catch2/catch.hpp>

namespace graspmap::bench {
namespace {

Score score_of(const char* curve, double trials_per_s, int wrong, double median_mm = 0.01) {
  Score score;
  score.curve = curve;
  score.measured.trials_per_s = {trials_per_s, 100.0 * trials_per_s, 0.5 * trials_per_s};
  score.agreement.robust = 1000;
  score.agreement.robust_agreeing = 1000 - wrong;
  score.agreement.median_mm = median_mm;
  return score;
}

}  // namespace

TEST_CASE("the median repetition counts") {
  CHECK(score_of("Box2D", 300, 0).median_trials_per_s() == 300.0);
}

TEST_CASE("a usable setting has 99 % of the robust trials right, a right one all and the pose") {
  CHECK(is_usable(score_of("Box2D", 300, 10, 1.0)));
  CHECK_FALSE(is_usable(score_of("Box2D", 300, 11)));
  CHECK(is_right(score_of("graspmap", 300, 0, 0.05)));
  CHECK_FALSE(is_right(score_of("graspmap", 300, 1)));
  CHECK_FALSE(is_right(score_of("graspmap", 300, 0, 0.051)));
  Score turned = score_of("graspmap", 300, 0);
  turned.agreement.median_rad = 0.0018;  // 0.103 degree
  CHECK_FALSE(is_right(turned));
}

TEST_CASE("the fastest setting is chosen among those that qualify") {
  Comparison comparison;
  comparison.scores = {score_of("graspmap", 400, 1), score_of("graspmap", 300, 0),
                       score_of("graspmap", 200, 0), score_of("Box2D", 900, 11),
                       score_of("Box2D", 500, 10),   score_of("Box2D", 100, 0),
                       score_of("MuJoCo", 100, 50)};
  CHECK(comparison.curves() == std::vector<std::string>{"graspmap", "Box2D", "MuJoCo"});
  REQUIRE(fastest_right(comparison) != nullptr);
  CHECK(fastest_right(comparison)->median_trials_per_s() == 300.0);
  REQUIRE(fastest_usable(comparison, "Box2D") != nullptr);
  CHECK(fastest_usable(comparison, "Box2D")->median_trials_per_s() == 500.0);
  CHECK(fastest_usable(comparison, "MuJoCo") == nullptr);
  CHECK(most_right(comparison, "graspmap")->median_trials_per_s() == 300.0);
  CHECK(most_right(comparison, "Gazebo") == nullptr);
  comparison.scores.erase(comparison.scores.begin(), comparison.scores.begin() + 3);
  CHECK(fastest_right(comparison) == nullptr);
}

TEST_CASE("a page shows each curve's most right setting, and of each engine's best a faster one") {
  Comparison comparison;
  comparison.scores = {score_of("graspmap, fixed step", 500, 2),
                       score_of("graspmap, fixed step", 400, 1),
                       score_of("graspmap, second order", 900, 3),
                       score_of("graspmap, second order", 800, 0),
                       score_of("graspmap, second order", 700, 0),
                       score_of("Box2D", 300, 9),
                       score_of("Box2D", 200, 5),
                       score_of("Box2D, fewer corners", 90, 4)};
  const auto shown = [&] {
    std::vector<double> rates;
    for (const Score* score : main_scores(comparison)) {
      rates.push_back(score->median_trials_per_s());
    }
    return rates;
  };
  CHECK(shown() == std::vector<double>{400, 900, 800, 200, 90});
  comparison.scores[2].setting = kDefaultSetting;
  CHECK(shown() == std::vector<double>{400, 900, 800, 200, 90});
  comparison.scores[4].setting = kDefaultSetting;
  CHECK(shown() == std::vector<double>{400, 900, 800, 700, 200, 90});
}

}  // namespace graspmap::bench
