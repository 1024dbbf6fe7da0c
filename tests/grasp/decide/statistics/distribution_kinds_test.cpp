// The moments and quantiles of each distribution against closed forms.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"

using namespace graspmap;

namespace {

constexpr int kDraws = 100'000;

struct KnownDistribution {
  const char* name;
  Distribution distribution;
  double mean;
  double sd;
  double kurtosis;  ///< of the standardised distribution, for the error of the sample's variance
  std::function<double(double)> quantile;
};

Distribution lognormal(double mean, double sigma) { return Lognormal{mean, sigma}; }

Distribution triangular(double min, double mode, double max) { return Triangular{min, mode, max}; }

/// Phi^-1 by bisection of erfc.
double normal_quantile_by_bisection(double u) {
  double low = -10;
  double high = 10;
  for (int k = 0; k < 80; ++k) {
    const double z = (low + high) / 2;
    (0.5 * std::erfc(-z / std::numbers::sqrt2) < u ? low : high) = z;
  }
  return (low + high) / 2;
}

std::vector<KnownDistribution> known_distributions() {
  // Lognormal of median e^mu and log sigma s: mean e^(mu + s^2/2), variance (e^(s^2) - 1) mean^2.
  const double mu = -1.0;
  const double s = 0.4;
  const double mean = std::exp(mu + s * s / 2);
  const double w = std::exp(s * s);
  const double lognormal_kurtosis = w * w * w * w + 2 * w * w * w + 3 * w * w - 3;
  const double t = std::sqrt((1.0 + 9 + 16 - 3 - 4 - 12) / 18);
  return {
      {"uniform", Uniform{-1, 3}, 1.0, 4 / std::sqrt(12.0), 1.8,
       [](double u) { return -1 + 4 * u; }},
      {"normal", Normal{2, 0.3}, 2.0, 0.3, 3.0,
       [](double u) { return 2 + 0.3 * normal_quantile_by_bisection(u); }},
      {"half normal", TruncatedNormal{0, 1, 0, 30}, std::sqrt(2 / std::numbers::pi),
       std::sqrt(1 - 2 / std::numbers::pi), 3.87,
       [](double u) { return normal_quantile_by_bisection(0.5 + u / 2); }},
      {"lognormal", lognormal(mean, mean * std::sqrt(w - 1)), mean, mean * std::sqrt(w - 1),
       lognormal_kurtosis,
       [=](double u) { return std::exp(mu + s * normal_quantile_by_bisection(u)); }},
      {"triangular", triangular(1, 3, 4), 8.0 / 3, t, 2.4,
       [](double u) { return u <= 2.0 / 3 ? 1 + std::sqrt(u * 6) : 4 - std::sqrt((1 - u) * 3); }},
      {"discrete", Discrete{{-1, 0.5, 2}, {0.25, 0.25, 0.5}}, 0.875,
       std::sqrt(0.25 + 0.0625 + 2 - 0.765625), 3.0,
       [](double u) { return u <= 0.25  ? -1.0
                             : u <= 0.5 ? 0.5
                                        : 2.0; }},
      {"histogram", Histogram{{0, 1, 3, 4}, {0.25, 0.0, 0.75}}, 0.125 + 2.625,
       std::sqrt(0.25 / 3 + 0.75 * (12.25 + 1.0 / 12) - 2.75 * 2.75), 3.0,
       [](double u) { return u <= 0.25 ? 4 * u : 3 + (u - 0.25) / 0.75; }},
  };
}

}  // namespace

TEST_CASE("100,000 draws of each distribution have its moments and quantiles") {
  for (const KnownDistribution& known : known_distributions()) {
    INFO(known.name);
    CHECK(known.distribution.mean() == Approx(known.mean).epsilon(1e-12));
    CHECK(known.distribution.variance() == Approx(known.sd * known.sd).epsilon(1e-12));
    std::vector<double> draws;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x =
          known.distribution.quantile(uniform_open(3, static_cast<std::uint64_t>(i), 0));
      draws.push_back(x);
      sum += x - known.mean;
      squares += (x - known.mean) * (x - known.mean);
    }
    // Four standard errors.
    const double variance = known.sd * known.sd;
    CHECK(std::abs(sum / kDraws) < 4 * known.sd / std::sqrt(kDraws));
    CHECK(std::abs(squares / kDraws - variance) <
          4 * variance * std::sqrt((known.kurtosis - 1) / kDraws));
    for (const double u : {0.01, 0.2, 0.6, 0.9, 0.999}) {
      const double x = known.quantile(u);
      CHECK(known.distribution.quantile(u) == Approx(x).epsilon(1e-12));
      const auto below =
          std::count_if(draws.begin(), draws.end(), [&](double d) { return d <= x; });
      const double expected = known.distribution.cumulative(x);
      CHECK(std::abs(static_cast<double>(below) / kDraws - expected) <
            4 * std::sqrt(expected * (1 - expected) / kDraws) + 1e-12);
    }
  }
}

TEST_CASE(
    "quantiles of the new distributions ascend, and their distribution functions invert them") {
  const std::vector<Distribution> distributions = {
      lognormal(0.2, 0.1),
      lognormal(5, 20),
      lognormal(1e3, 1e-2),
      triangular(0.1, 0.1, 0.3),
      triangular(0.1, 0.3, 0.3),
      triangular(-1, 0.2, 0.3),
      Histogram{{0, 0.1, 0.5, 1}, {0.1, 0.6, 0.3}},
  };
  for (const Distribution& distribution : distributions) {
    CAPTURE(distribution.text());
    double previous = -1e300;
    for (int i = 1; i < 1000; ++i) {
      const double u = i / 1000.0;
      const double x = distribution.quantile(u);
      CHECK(x >= previous);
      CHECK(distribution.cumulative(x) == Approx(u).epsilon(1e-9));
      previous = x;
    }
    CHECK(distribution.quantile(1e-300) >= distribution.range().low);
    CHECK(distribution.quantile(1 - 0x1p-53) <= distribution.range().high);
    // The density is the slope of the distribution function.
    const double x = distribution.quantile(0.4);
    const double h = 1e-5 * std::sqrt(distribution.variance());
    CHECK(distribution.density(x) ==
          Approx((distribution.cumulative(x + h) - distribution.cumulative(x - h)) / (2 * h))
              .epsilon(1e-4));
  }
}

TEST_CASE("discrete distributions are atoms only") {
  const Distribution distribution = Discrete{{1, 2, 4}, {0.5, 0.2, 0.3}};
  CHECK(distribution.atom(2) == 0.2);
  CHECK(distribution.atom(3) == 0.0);
  CHECK(distribution.density(2) == 0.0);
  CHECK(distribution.cumulative(0.9) == 0.0);
  CHECK(distribution.cumulative(1) == 0.5);
  CHECK(distribution.cumulative(3.9) == 0.7);
  CHECK(distribution.cumulative(4) == 1.0);
  CHECK(distribution.quantile(0.5) == 1.0);
  CHECK(distribution.quantile(0.51) == 2.0);
}

TEMPLATE_TEST_CASE(
    "bounds of normal and lognormal distributions change their moments as their draws say", "",
    Normal, Lognormal) {
  for (const double spread : {0.5, 1e-5}) {
    TestType bounded{1, spread};
    bounded.min = bounded.mean - 0.7 * bounded.sigma;
    bounded.max = bounded.mean + 1.1 * bounded.sigma;
    const Distribution distribution = bounded;
    CAPTURE(distribution.text());
    // The integral of the quantile function by the midpoint rule.
    constexpr int kSteps = 200'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double x = (distribution.quantile((i + 0.5) / kSteps) - bounded.mean) / bounded.sigma;
      sum += x;
      squares += x * x;
    }
    const double shift = sum / kSteps;
    CHECK((distribution.mean() - bounded.mean) / bounded.sigma == Approx(shift).margin(1e-7));
    CHECK(distribution.variance() / (bounded.sigma * bounded.sigma) ==
          Approx(squares / kSteps - shift * shift).margin(1e-7));
    CHECK(distribution.atom(bounded.min) ==
          Approx(distribution.cumulative(bounded.min)).epsilon(1e-12));
  }
}

TEST_CASE("measured values become a histogram with bins by Freedman and Diaconis") {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(lognormal(10, 0.5).quantile((k + 0.5) / 1000));
  const Distribution distribution = histogram_of(values, 0);
  const auto* bins = distribution.as<Histogram>();
  REQUIRE(bins != nullptr);
  // The quartiles of a normal are 1.349 sigma apart: bins of 2 * 1.349 * 0.5 / 10 mm.
  const double width = bins->edges[1] - bins->edges[0];
  CHECK(width < 0.136);
  CHECK(width > 0.128);
  CHECK(distribution.range().low == values.front());
  CHECK(distribution.range().high == values.back());
  CHECK(distribution.mean() == Approx(10).margin(0.01));
  CHECK(std::sqrt(distribution.variance()) == Approx(0.5).margin(0.01));
  CHECK(histogram_of(values, 7).as<Histogram>()->weights.size() == 7);
  const Distribution same = histogram_of({2.5, 2.5, 2.5}, 0);
  CHECK(same == Fixed{2.5});
  // Sturges: 1 + log2(8)
  CHECK(histogram_of({1, 1, 1, 1, 1, 1, 1, 5}, 0).as<Histogram>()->weights.size() == 4);
}
