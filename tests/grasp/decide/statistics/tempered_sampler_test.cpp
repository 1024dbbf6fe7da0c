#include "grasp/decide/statistics/tempered_sampler.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

/// Binomial counts in each coordinate: the posterior is a product of beta distributions.
struct Counts {
  double successes;
  double failures;
};

const std::vector<Counts> kCounts = {{3, 7}, {40, 10}, {0, 20}};

double binomial_log_likelihood(std::span<const double> point) {
  double sum = 0;
  for (std::size_t k = 0; k < point.size(); ++k) {
    sum += kCounts[k].successes * std::log(point[k]) + kCounts[k].failures * std::log1p(-point[k]);
  }
  return sum;
}

TEST_CASE(
    "data that no point can give are an error of their own, and points that cannot are left") {
  const auto nowhere = [](std::span<const double>) {
    return std::numeric_limits<double>::quiet_NaN();
  };
  CHECK_THROWS_AS(sample_posterior(2, nowhere, {.draws = 100}), NowhereFinite);
  const auto half = [](std::span<const double> point) {
    return point[0] < 0.5 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  };
  const PosteriorDraws draws = sample_posterior(1, half, {.draws = 100});
  for (const auto& point : draws.points) CHECK(point[0] < 0.5);
  CHECK(draws.log_evidence == Approx(std::log(0.5)).margin(0.3));
}

TEST_CASE("draws have the moments of a conjugate posterior and its evidence") {
  const PosteriorDraws draws =
      sample_posterior(3, binomial_log_likelihood, {.draws = 1000, .moves = 5});
  const double n = 1000;
  double log_evidence = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = kCounts[k].successes + 1;
    const double b = kCounts[k].failures + 1;
    const double mean = a / (a + b);
    const double variance = mean * (1 - mean) / (a + b + 1);
    double sum = 0;
    double squares = 0;
    for (const auto& point : draws.points) {
      sum += point[k];
      squares += (point[k] - mean) * (point[k] - mean);
    }
    const double error = std::sqrt(variance / draws.effective_draws);
    CHECK(sum / n == Approx(mean).margin(4 * error));
    CHECK(squares / n == Approx(variance).epsilon(4 * std::sqrt(3 / draws.effective_draws)));
    log_evidence += std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  }
  CHECK(draws.log_evidence == Approx(log_evidence).margin(0.3));
  CHECK(draws.effective_draws > 300);
  CHECK(draws.effective_draws <= 1000);
}

TEST_CASE("draws of the prior fill the cube evenly when the likelihood says nothing") {
  const PosteriorDraws draws =
      sample_posterior(2, [](std::span<const double>) { return -3.0; }, {.draws = 500, .moves = 2});
  int low = 0;
  for (const auto& point : draws.points) low += point[0] < 0.25 ? 1 : 0;
  CHECK(low == Approx(125).margin(4 * std::sqrt(500 * 0.25 * 0.75)));
  CHECK(draws.log_evidence == Approx(-3.0));
  CHECK(draws.temperatures == 1);
}

TEST_CASE("draws keep to where the likelihood is not zero and are the same each time") {
  const auto triangle = [](std::span<const double> point) {
    return point[0] < point[1] ? 0.0 : -std::numeric_limits<double>::infinity();
  };
  const PosteriorDraws draws = sample_posterior(2, triangle, {.draws = 300, .moves = 3});
  CHECK(draws.points.size() == 300);
  for (const auto& point : draws.points) CHECK(point[0] < point[1]);
  CHECK(draws.log_evidence == Approx(std::log(0.5)).margin(0.25));
  CHECK(sample_posterior(2, triangle, {.draws = 300, .moves = 3}).points == draws.points);
}

}  // namespace
}  // namespace graspmap
