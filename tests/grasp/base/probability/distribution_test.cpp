#include "grasp/base/probability/distribution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace graspmap;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Distribution normal(double mean, double sigma, double min = -kInfinity, double max = kInfinity) {
  return Normal{mean, sigma, min, max};
}

TruncatedNormal truncated(double mean, double sigma, double min, double max) {
  return {mean, sigma, min, max};
}

/// Fractions of (0, 1), far into both tails.
std::vector<double> fractions() {
  std::vector<double> us;
  for (int k = 53; k >= 2; k -= 3) us.push_back(std::ldexp(1.0, -k));
  for (int i = 1; i < 20; ++i) us.push_back(i / 20.0);
  for (int k = 2; k <= 53; k += 3) us.push_back(1.0 - std::ldexp(1.0, -k));
  std::sort(us.begin(), us.end());
  return us;
}

/// Simpson's rule.
double integral(const std::function<double(double)>& f, double a, double b) {
  constexpr int kHalfSteps = 20'000;
  const double h = (b - a) / (2 * kHalfSteps);
  double sum = f(a) + f(b);
  for (int i = 1; i < 2 * kHalfSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(a + i * h);
  return sum * h / 3;
}

/// A normal's density, scaled to one at the end of [min, max] that is nearest to the mean.
std::function<double(double)> scaled_density(const TruncatedNormal& d) {
  const double z0 = (std::clamp(d.mean, d.min, d.max) - d.mean) / d.sigma;
  return [d, z0](double x) {
    const double z = (x - d.mean) / d.sigma;
    return std::exp(0.5 * (z0 * z0 - z * z));
  };
}

}  // namespace

TEST_CASE("a fixed distribution is its value") {
  for (const double u : fractions()) {
    CHECK(Distribution(Fixed{0.25}).quantile(u) == 0.25);
  }
}

TEST_CASE("a uniform distribution is linear between its bounds") {
  const Distribution d = Uniform{-1, 3};
  CHECK(d.quantile(0.25) == 0.0);
  CHECK(d.quantile(0.5) == 1.0);
  for (const double u : fractions()) CHECK(d.quantile(u) == Approx(-1 + 4 * u).epsilon(1e-15));
}

TEST_CASE("the normal quantile has the tabulated values") {
  CHECK(normal(0, 1).quantile(0.975) == Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normal(0, 1).quantile(0.9999) == Approx(3.719016485455680).epsilon(1e-14));
  CHECK(normal(0, 1).quantile(1e-10) == Approx(-6.361340902404056).epsilon(1e-15));
  CHECK(normal(2, 3).quantile(0.5) == 2.0);
  CHECK(normal(2, 3).quantile(0.025) == Approx(2 - 3 * 1.959963984540054).epsilon(1e-15));
}

TEST_CASE("the normal quantile inverts the distribution function into the tails") {
  for (const double u : fractions()) {
    const double z = normal(0, 1).quantile(u);
    INFO("u = " << u << ", z = " << z);
    // Both tails to relative precision: Phi(z) = u and Phi(-z) = 1 - u.
    CHECK(0.5 * std::erfc(-z / std::sqrt(2.0)) == Approx(u).epsilon(1e-13));
    CHECK(0.5 * std::erfc(z / std::sqrt(2.0)) == Approx(1 - u).epsilon(1e-13));
    CHECK(normal(0, 1).quantile(1 - u) == Approx(-z).epsilon(1e-14).margin(1e-15));
  }
}

TEST_CASE("a normal's draws beyond its bounds become the bounds") {
  const Distribution d = normal(0.2, 0.1, 0.1, 0.4);
  for (const double u : fractions()) {
    const double free = normal(0.2, 0.1).quantile(u);
    CHECK(d.quantile(u) == std::min(std::max(free, 0.1), 0.4));
  }
  CHECK(d.quantile(0.1) == 0.1);
  CHECK(d.quantile(0.99) == 0.4);
}

TEST_CASE("the truncated normal's quantile inverts its numerically integrated density") {
  const std::vector<TruncatedNormal> cases = {
      truncated(0.2, 0.1, 0.1, 0.4),   // the mean inside
      truncated(0, 1, -3, 1),          // more lower tail
      truncated(0, 1, 0, 2),           // half
      truncated(0, 1, 1.5, 2.5),       // upper side
      truncated(0, 1, 8, 9),           // upper tail: 1 - Phi(8) = 6e-16
      truncated(0, 1, -12, -10),       // lower tail
      truncated(5, 0.5, 19.0, 19.5),   // 28 sigma out
      truncated(0, 1, -0.001, 0.002),  // nearly uniform
  };
  for (const TruncatedNormal& d : cases) {
    const auto density = scaled_density(d);
    const double total = integral(density, d.min, d.max);
    for (const double u : {1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-6}) {
      const double x = d.quantile(u);
      // What rounding of x, and of probabilities near 1/2, does to the fractions.
      const double rounding = 4e-16 * std::max(std::abs(x), d.sigma) * density(x) / total;
      INFO("[" << d.min << ", " << d.max << "], u = " << u << ", x = " << x);
      CHECK(integral(density, d.min, x) / total == Approx(u).epsilon(1e-9).margin(rounding));
      CHECK(integral(density, x, d.max) / total == Approx(1 - u).epsilon(1e-9).margin(rounding));
    }
  }
}

TEST_CASE("a truncated normal becomes uniform without a jump as sigma grows") {
  for (double sigma = 1e3; sigma < 1e9; sigma *= 1.7) {
    const Distribution d = truncated(0.2, sigma, 0.1, 0.4);
    CAPTURE(sigma);
    CHECK(d.density(0.3) == Approx(1 / 0.3).epsilon(1e-5));
    CHECK(d.cumulative(0.3) == Approx(2.0 / 3).epsilon(1e-5));
    CHECK(d.quantile(0.25) == Approx(0.175).epsilon(1e-5));
    CHECK(d.mean() == Approx(0.25).epsilon(1e-5));
    CHECK(d.variance() == Approx(0.09 / 12).epsilon(1e-4));
  }
}

TEST_CASE("a truncated normal with far bounds is the normal") {
  for (const double u : fractions()) {
    CHECK(truncated(1, 2, -99, 101).quantile(u) == Approx(normal(1, 2).quantile(u)).epsilon(1e-13));
  }
}

TEST_CASE("quantiles ascend and keep to their bounds") {
  for (const Distribution& d :
       {Distribution(Uniform{0.1, 0.3}), normal(0.2, 0.1, 0.1, 0.3),
        Distribution(truncated(0.2, 0.1, 0.1, 0.3)), Distribution(truncated(0, 0.01, 0.1, 0.3)),
        Distribution(truncated(0.5, 0.01, 0.1, 0.3))}) {
    double previous = d.range().low;
    for (const double u : fractions()) {
      const double x = d.quantile(u);
      CHECK(x >= previous);
      CHECK(x <= d.range().high);
      previous = x;
    }
  }
}

namespace {

const std::vector<Distribution> kProducts = {
    Uniform{-1, 3},
    Normal{0.2, 0.1},
    Normal{0.2, 0.1, 0.1, 0.35},
    Normal{0.2, 0.1, 0.0},
    TruncatedNormal{0.2, 0.1, 0.1, 0.4},
    TruncatedNormal{0, 1, 8, 9},
    TruncatedNormal{0, 1, -12, -10},
    TruncatedNormal{0.2, 3e4, 0.1, 0.4},  // flat between its bounds
    TruncatedNormal{0.3, 1e23, 0.1, 0.5},
};

}  // namespace

TEST_CASE("the distribution function is the density's integral and the atoms' sum") {
  for (const Distribution& d : kProducts) {
    const Interval range = d.range();
    const double reach = 12 * d.sigma().value_or(0.0);
    const double low = std::isfinite(range.low) ? range.low : d.mean() - reach;
    const double high = std::isfinite(range.high) ? range.high : d.mean() + reach;
    CAPTURE(d.text());
    const auto f = [&](double x) { return d.density(x); };
    double sum = integral(f, low, high);
    for (const double bound : {range.low, range.high})
      sum += std::isfinite(bound) ? d.atom(bound) : 0.0;
    CHECK(sum == Approx(1).epsilon(1e-9));
    const double x = low + 0.3 * (high - low);
    const double at_min = std::isfinite(range.low) ? d.atom(range.low) : 0.0;
    CHECK(d.cumulative(x) == Approx(at_min + integral(f, low, x)).epsilon(1e-9));
    CHECK(d.cumulative(high + 1) == 1.0);
  }
}

TEST_CASE("the distribution function inverts the quantile function") {
  for (const Distribution& d : kProducts) {
    for (const double u : {0.02, 0.3, 0.5, 0.8, 0.99}) {
      const double x = d.quantile(u);
      CAPTURE(d.text(), u, x);
      if (d.atom(x) > 0) continue;  // several u have this quantile
      CHECK(d.cumulative(x) == Approx(u).epsilon(1e-9));
    }
  }
}

TEST_CASE("atoms are what a normal moves onto its bounds and a fixed value") {
  const Distribution d = normal(0.2, 0.1, 0.1, 0.4);
  CHECK(d.atom(0.1) == Approx(0.15865525393145707).epsilon(1e-14));   // Phi(-1)
  CHECK(d.atom(0.4) == Approx(0.022750131948179195).epsilon(1e-14));  // Phi(-2)
  CHECK(d.atom(0.2) == 0.0);
  CHECK(Distribution(truncated(0.2, 0.1, 0.1, 0.4)).atom(0.1) == 0.0);
  CHECK(Distribution(Fixed{0.25}).atom(0.25) == 1.0);
  CHECK(Distribution(Fixed{0.25}).atom(0.3) == 0.0);
  CHECK(Distribution(Fixed{0.25}).density(0.25) == 0.0);
  CHECK(d.density(0.09) == 0.0);
}
