#include "grasp/decide/calibrate/friction_calibration.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

constexpr int kRows = 6;
constexpr double kCellHeight = 1.0;

/// A made-up grasp: it succeeds when the jaw friction is below what grows with y, and a little with
/// the support friction.
bool succeeds(double y_mm, double mu_jaw, double mu_support, double influence) {
  return mu_jaw < 0.1 * y_mm + influence * mu_support;
}

/// A point of a trial: y in the cell, both frictions as fractions.
struct Point {
  double y_mm, a, b;
};

Point point(std::uint64_t seed, std::uint64_t index, int row) {
  return {(row + uniform_open(seed, index, 0)) * kCellHeight, uniform_open(seed, index, 1),
          uniform_open(seed, index, 2)};
}

/// An experiment under two distributions, and stored trials with uniform friction, jaw 0 to 0.6 and
/// support 0 to 1.
CalibrationData made_up_data(const Distribution& jaw, const Distribution& support,
                             std::int64_t trials_per_cell, double influence, std::uint64_t seed) {
  constexpr std::uint64_t kStoredTrials = 1200;
  CalibrationData data;
  data.ranges = {FrictionRange{"friction.jaw", 0, 0.6}, FrictionRange{"friction.support", 0, 1}};
  std::uint64_t index = 0;
  for (int row = 0; row < kRows; ++row) {
    CalibrationCell cell;
    cell.experiment = {{0, 1, row * kCellHeight, (row + 1) * kCellHeight}, trials_per_cell, 0};
    cell.stored_trials = kStoredTrials;
    for (std::int64_t i = 0; i < trials_per_cell; ++i) {
      const Point p = point(seed, index++, row);
      cell.experiment.successes +=
          succeeds(p.y_mm, jaw.quantile(p.a), support.quantile(p.b), influence) ? 1 : 0;
    }
    for (std::uint64_t i = 0; i < kStoredTrials; ++i) {
      const Point p = point(99, index++, row);
      data.trials.push_back(
          {static_cast<std::size_t>(row), p.a, p.b, succeeds(p.y_mm, 0.6 * p.a, p.b, influence)});
    }
    data.cells.push_back(cell);
  }
  data.experiment_trials = kRows * trials_per_cell;
  return data;
}

const SamplerSettings kFewDraws{.draws = 300, .moves = 3};

TEST_CASE("the distribution of a made-up experiment is recovered and what says nothing is told") {
  const CalibrationData data = made_up_data(Uniform{0.1, 0.4}, Uniform{0.2, 0.7}, 200, 0.0, 5);
  const Calibration result = calibrate_friction(data, FrictionFamily::kUniform, 0.99, kFewDraws);
  const Learned& min = find_learned(result, "friction.jaw.min");
  const Learned& max = find_learned(result, "friction.jaw.max");
  CHECK(min.interval.low <= 0.1);
  CHECK(min.interval.high >= 0.1);
  CHECK(max.interval.low <= 0.4);
  CHECK(max.interval.high >= 0.4);
  CHECK(find_learned(result, "friction.jaw.mean").mean == Approx(0.25).margin(0.02));
  CHECK(min.sd_ratio() < 0.25);
  CHECK(find_learned(result, "friction.support.min").is_unknown());
  CHECK(find_learned(result, "friction.support.max").is_unknown());
  CHECK(result.fit.p_value() > 0.05);
  CHECK(result.correlations.size() == 4);
  CHECK(result.correlations[0][0] == Approx(1));
}

TEST_CASE("an experiment that no distribution explains is told") {
  CalibrationData data = made_up_data(Uniform{0.1, 0.4}, Uniform{0.2, 0.7}, 200, 0.0, 5);
  // Where all distributions succeed, and where all fail: half of the trials.
  data.cells.front().experiment.successes = 100;
  data.cells.back().experiment.successes = 100;
  const Calibration result = calibrate_friction(data, FrictionFamily::kUniform, 0.9, kFewDraws);
  CHECK(result.fit.p_value() < 0.01);
  CHECK(result.fit.deviance > result.fit.expected_deviance);
}

TEST_CASE("stored trials foretell other distributions without bias") {
  const CalibrationData data = made_up_data(Uniform{0, 0.6}, Uniform{0, 1}, 1, 0.1, 7);
  const Unknowns unknowns(FrictionFamily::kUniform, data.ranges);
  const StoredModel model(data, data.trials, unknowns);
  // Jaw 0.15 to 0.3 and support 0.5 to 1: a quarter and a half of the ranges.
  const std::vector<double> point = {1.0 / 3, 1 - 0.75 * 0.75, 1.0, 1 - 0.5 * 0.5};
  const std::vector<CellPrediction> found = model.predict(point);
  for (int row = 0; row < kRows; ++row) {
    double truth = 0;  // P(jaw < 0.1 y + 0.1 support), on a grid
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps * kSteps; ++i) {
      // NOLINTNEXTLINE(bugprone-integer-division): the row of the grid
      const double y = row + (i / kSteps + 0.5) / kSteps;
      const double t = 0.1 * y + 0.1 * (0.5 + 0.5 * (i % kSteps + 0.5) / kSteps);
      truth += std::clamp((t - 0.15) / 0.15, 0.0, 1.0) / (kSteps * kSteps);
    }
    const CellPrediction& p = found[static_cast<std::size_t>(row)];
    const double sd = std::sqrt(truth * (1 - truth) / p.effective_trials);
    CAPTURE(row, truth, p.probability, sd);
    CHECK(p.probability == Approx(truth).margin(3 * sd + 0.01));
    CHECK(p.effective_trials >= 150 - 20);  // an eighth of 1200
  }
  // An eighth of the trials fall under the distributions.
  CHECK(model.efficiency(point) == Approx(0.125).epsilon(0.05));
}

TEST_CASE("distributions at the corners of the prior keep to the range") {
  const FrictionRange range{"friction.jaw", 0.1, 0.5};
  for (const double u1 : {0.0, 0.3, 1.0}) {
    for (const double u2 : {0.0, 0.6, 1.0}) {
      const Interval bounds = distribution_at(FrictionFamily::kUniform, range, u1, u2).range();
      CHECK(bounds.low >= 0.1);
      CHECK(bounds.low < bounds.high);
      CHECK(bounds.high <= 0.5);
      const Distribution bell = distribution_at(FrictionFamily::kNormal, range, u1, u2);
      CHECK(*bell.sigma() > 0);
      CHECK(bell.as<TruncatedNormal>()->mean >= 0.1 - 1e-12);
      CHECK(bell.as<TruncatedNormal>()->mean <= 0.5 + 1e-12);
    }
  }
  // (mean, width) is uniform over the triangle: P(width > 0.2) = (0.2 / 0.4)^2.
  const Distribution distribution = distribution_at(FrictionFamily::kUniform, range, 0.5, 0.75);
  CHECK(distribution.range().high - distribution.range().low == Approx(0.2));
  CHECK(distribution.mean() == Approx(0.3));
}

TEST_CASE("the mean of a truncated normal is that of its quantiles") {
  const Distribution distribution = TruncatedNormal{0.1, 0.3, 0.05, 0.8};
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += distribution.quantile((i + 0.5) / 1000);
  CHECK(distribution.mean() == Approx(sum / 1000).epsilon(1e-5));
}

}  // namespace
}  // namespace graspmap
