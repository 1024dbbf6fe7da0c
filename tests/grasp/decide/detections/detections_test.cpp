#include "grasp/decide/detections/detections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>

#include "geometry/types.hpp"
#include "grasp/sweep/config/robot_error.hpp"
#include "tests/support/config_error.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;
using std::numbers::pi;

/// Detections of a part at (120, -40) mm, 0.4 rad, with normal noise of 0.2 mm, 0.3 mm and 0.01
/// rad.
struct Series {
  int count = 60;
  unsigned seed = 1;
  double period_rad = 2 * pi;
  double drift_mm = 0.0;  ///< of x, from the first to the last
  std::vector<int> flipped = {};
  std::vector<int> missed = {};

  [[nodiscard]] std::string csv() const {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::string text = "x_mm,y_mm,theta_rad\n";
    for (int k = 0; k < count; ++k) {
      const double x = 120 + 0.2 * normal(random) + drift_mm * k / (count - 1);
      const double y = -40 + 0.3 * normal(random);
      double theta = 0.4 + 0.01 * normal(random);
      if (std::count(flipped.begin(), flipped.end(), k) > 0) theta += period_rad;
      text += std::count(missed.begin(), missed.end(), k) > 0
                  ? ",,\n"
                  : fmt::format("{},{},{}\n", x, y, theta);
    }
    return text;
  }
};

DetectedErrors errors_of(const std::string& csv, const DetectionsRequest& request = {}) {
  const TemporaryFolder folder;
  return detected_errors(folder.write("looks.csv", csv), request);
}

TEST_CASE("the gripper goes where the part seems to be, by poses one after the other") {
  const Pose2 X_WP{{120, -40}, 0.4};   // where the part is
  const Pose2 X_WD{{121, -38}, 0.35};  // where it seems to be
  const std::array<double, 3> placement{3, -11, 0.2};
  const Pose2 X_GP{{-placement[0], -placement[1]}, placement[2]};
  const Pose2 X_WG = compose(X_WD, inverse(X_GP));
  const Pose2 really = compose(inverse(X_WG), X_WP);
  const auto off = placement_deviation({120, -40, 0.4}, {121, -38, 0.35}, placement[2]);
  CHECK(-really.position_mm.x() == Approx(placement[0] + off[0]));
  CHECK(-really.position_mm.y() == Approx(placement[1] + off[1]));
  CHECK(really.angle_rad == Approx(placement[2] + off[2]));
}

TEST_CASE("misses are counted, flips folded, and the spread is the detector's") {
  Series series;
  series.count = 400;
  series.period_rad = pi;
  series.flipped = {3, 7, 8, 100};
  series.missed = {0, 50};
  DetectionsRequest request;
  request.period_deg = 180;
  request.truth = {{120, -40, 0.4}};
  const DetectedErrors errors = errors_of(series.csv(), request);
  CHECK(errors.read.misses == 2);
  CHECK(errors.flips == 4);
  REQUIRE(errors.deviations.size() == 398);
  // The deviations along the part's axes: the noise turned by -0.4 rad.
  const double c = std::cos(0.4);
  const double s = std::sin(0.4);
  const double xx = c * c * 0.04 + s * s * 0.09;
  const double yy = s * s * 0.04 + c * c * 0.09;
  const double xy = c * s * (0.09 - 0.04);
  CHECK(errors.covariance[0][0] == Approx(xx).epsilon(0.25));
  CHECK(errors.covariance[1][1] == Approx(yy).epsilon(0.25));
  CHECK(errors.covariance[0][1] == Approx(xy).margin(0.015));
  CHECK(std::sqrt(errors.covariance[2][2]) == Approx(0.01).epsilon(0.15));
  CHECK(errors.miss_interval.low < 0.005);
  CHECK(errors.miss_interval.high > 0.005);
  CHECK_THAT(detections_text(errors, "d.csv"), Contains("398 of 400 looks") &&
                                                   Contains("2 missed") &&
                                                   Contains("4 had another multiple of 180"));
}

TEST_CASE("angles on both sides of half a turn are no flips") {
  std::string csv = "x_mm,y_mm,theta_rad\n";
  for (int k = 0; k < 20; ++k) csv += fmt::format("{},2,{}\n", 0.01 * k, k % 2 == 0 ? 3.14 : -3.14);
  DetectionsRequest request;
  request.period_deg = 360;
  CHECK(errors_of(csv, request).flips == 0);
}

TEST_CASE("without a truth the spread about the mean is as large as about the truth") {
  // The mean of 5 follows them: the expected square is then 4/5 of the variance.
  double squares = 0.0;
  constexpr int kSeries = 400;
  for (unsigned seed = 1; seed <= kSeries; ++seed) {
    Series series;
    series.count = 5;
    series.seed = seed;
    const DetectedErrors errors = errors_of(series.csv());
    for (const auto& off : errors.deviations) squares += off[0] * off[0] + off[1] * off[1];
  }
  CHECK(squares / (5 * kSeries) == Approx(0.04 + 0.09).epsilon(0.08));
}

TEST_CASE("a drift is seen, and seldom where there is no drift") {
  Series drifting;
  drifting.drift_mm = 0.6;  // three standard deviations
  const DetectedErrors seen = errors_of(drifting.csv());
  CHECK(seen.drifts());
  CHECK(seen.drift.p_value < 0.001);
  CHECK(seen.drift.from_first_to_last[0] == Approx(0.6).margin(0.2));
  CHECK_THAT(detections_text(seen, "d.csv"), Contains("They drift"));
  CHECK_THAT(detections_notes(seen), Contains("warning: the detections drift, from the first"));
  int alarms = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Series still;
    still.count = 20;
    still.seed = seed;
    alarms += errors_of(still.csv()).drifts() ? 1 : 0;
  }
  CHECK(alarms <= 12);  // binomial with 0.05: more in 1 of 1000
}

TEST_CASE("claimed covariances weigh the mean, and are compared with the scatter") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::string text = "x_mm,y_mm,cov_xx_mm2,cov_yy_mm2\n";
  for (int k = 0; k < 500; ++k) {
    const double sigma = k % 2 == 0 ? 0.1 : 1.0;
    text += fmt::format("{},{},{},{}\n", 2 * sigma * normal(random), 2 * sigma * normal(random),
                        sigma * sigma, sigma * sigma);
  }
  const DetectedErrors errors = errors_of(text);
  CHECK(*errors.claimed_ratio == Approx(2).epsilon(0.1));  // the noise is twice what is claimed
  CHECK(std::abs(errors.center[0]) < 4 * 0.2 / std::sqrt(250.0));  // as exact as the good half
  // One good detection against nine that claim little: the mean is the good one's.
  std::string one = "x_mm,y_mm,cov_xx_mm2,cov_yy_mm2\n0,0,0.0001,0.0001\n";
  for (int k = 0; k < 9; ++k) one += "5,5,1,1\n";
  const DetectedErrors good = errors_of(one);
  CHECK(good.center[0] == Approx(9 * 5 / (10000.0 + 9)));
}

TEST_CASE("the deviations are what a plan reads") {
  const DetectedErrors errors = errors_of(Series{}.csv());
  const TemporaryFolder folder;
  DeviceError error;
  read_deviations(folder.write("deviations.csv", csv_text(deviations_table(errors))), error);
  CHECK(error.deviations == errors.deviations);
  CHECK(error.deviations_have_angles);
  DetectionsRequest request;
  request.positions_only = true;
  DeviceError positions;
  const DetectedErrors without = errors_of(Series{}.csv(), request);
  read_deviations(folder.write("positions.csv", csv_text(deviations_table(without))), positions);
  CHECK(!positions.deviations_have_angles);
}

TEST_CASE("files that are no detections are refused with their line") {
  const auto error_of = [](const std::string& text) {
    return config_error_of_file(
        "looks.csv", text, [](const std::filesystem::path& file) { detected_errors(file, {}); });
  };
  CHECK_THAT(error_of("x_mm,y_mm\n1,2\n1,2\n,\n1,2\n1,2\n"),
             Contains("has 4 detections; must have 5 to 1000"));
  CHECK_THAT(error_of("x_mm,y_mm\n1,2\n1,\n"), Contains("looks.csv:3: y_mm"));
  CHECK_THAT(error_of("x_mm,y_mm,cov_xx_mm2\n1,2,1\n"), Contains("columns of covariances"));
  CHECK_THAT(error_of("x_mm,y_mm,cov_xx_mm2,cov_yy_mm2\n1,2,1,-1\n"),
             Contains("positive definite"));
  Series around;
  around.flipped = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18};
  around.count = 20;
  around.period_rad = pi;
  CHECK_THROWS_WITH(errors_of(around.csv()), Contains("point in all directions"));
  DetectionsRequest request;
  request.period_deg = 100;
  CHECK_THROWS_WITH(errors_of(Series().csv(), request), Contains("a number > 0 that divides 360"));
}

}  // namespace
}  // namespace graspmap::testing
