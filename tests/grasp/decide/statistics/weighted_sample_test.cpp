#include "grasp/decide/statistics/weighted_sample.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace graspmap {
namespace {

/// Quantiles of a generalised Pareto distribution of shape k and scale 1 at equal steps.
std::vector<double> pareto_quantiles(double k, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double u = (i + 0.5) / count;
    values.push_back((std::pow(1 - u, -k) - 1) / k);
  }
  return values;
}

TEST_CASE("equal weights are all effective and one large weight is one trial") {
  CHECK(effective_sample_size(std::vector<double>(7, 0.3)) == Approx(7));
  CHECK(effective_sample_size(std::vector<double>{0, 0, 5, 5}) == Approx(2));
  CHECK(effective_sample_size(std::vector<double>{1e9, 1, 1}) == Approx(1).epsilon(1e-6));
  CHECK(effective_sample_size(std::vector<double>{0, 0}) == 0);
}

TEST_CASE("k-hat is the shape of the tail of generalised Pareto weights") {
  // Beyond a threshold, the distribution has the same shape.
  for (const double k : {-0.4, 0.2, 0.5, 0.9}) {
    CHECK(pareto_tail_shape(pareto_quantiles(k, 20'000)) == Approx(k).margin(0.06));
  }
}

TEST_CASE("weights of a wider normal have the shape that theory gives") {
  // w = exp(c z^2) for z normal has a Pareto tail with k = 2 c: P(w > t) ~ t^(-1/(2c)).
  for (const double k : {0.4, 0.9}) {
    std::vector<double> weights;
    for (int i = 0; i < 40'000; ++i) {
      // -2 log of a uniform is chi-squared with 2 degrees: the same tail up to logarithms.
      weights.push_back(std::exp(k / 2 * -2 * std::log((i + 0.5) / 40'000)));
    }
    CHECK(pareto_tail_shape(weights) == Approx(k).margin(0.06));
  }
}

TEST_CASE("weights without a tail have none") {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  CHECK(pareto_tail_shape(std::vector<double>(1000, 2.0)) == kNone);
  std::vector<double> two_values(1000, 0.0);
  for (std::size_t i = 0; i < 300; ++i) two_values[i] = 3.0;
  CHECK(pareto_tail_shape(two_values) == kNone);
  CHECK(pareto_tail_shape(std::vector<double>{1, 2, 3}) == kNone);
}

}  // namespace
}  // namespace graspmap
