#include "grasp/decide/sensitivity/effect_estimator.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "grasp/decide/sensitivity/grasp_emulator.hpp"

using namespace graspmap;

namespace {

SobolDesign uniform_design(std::size_t inputs, double min, double max, std::size_t points = 1024) {
  return sobol_design(inputs, points, 64,
                      [=](std::size_t, double u) { return min + u * (max - min); });
}

void check_indices(const SobolIndices& indices, const std::vector<double>& first,
                   const std::vector<double>& total, double margin) {
  for (std::size_t k = 0; k < first.size(); ++k) {
    CAPTURE(k);
    CHECK(indices.first[k] == Approx(first[k]).margin(margin));
    CHECK(indices.total[k] == Approx(total[k]).margin(margin));
  }
}

}  // namespace

TEST_CASE("Sobol indices of the function of Ishigami", "[statistics]") {
  // sin x1 + a sin^2 x2 + b x3^4 sin x1 with a = 7, b = 0.1 (Ishigami and Homma 1990).
  constexpr double kPi = std::numbers::pi;
  const auto f = [](std::span<const double> x) {
    return std::sin(x[0]) + 7 * std::sin(x[1]) * std::sin(x[1]) +
           0.1 * std::pow(x[2], 4) * std::sin(x[0]);
  };
  const double d1 = 0.1 * std::pow(kPi, 4) / 5 + 0.01 * std::pow(kPi, 8) / 50 + 0.5;
  const double d2 = 49.0 / 8;
  const double d13 = 0.01 * std::pow(kPi, 8) * (1.0 / 18 - 1.0 / 50);
  const double v = d1 + d2 + d13;
  const SobolIndices indices = sobol_indices(uniform_design(3, -kPi, kPi), f);
  CHECK(indices.mean == Approx(3.5).margin(0.02));
  CHECK(indices.variance == Approx(v).epsilon(0.02));
  check_indices(indices, {d1 / v, d2 / v, 0.0}, {(d1 + d13) / v, d2 / v, d13 / v}, 0.01);
}

TEST_CASE("Sobol indices of the g-function", "[statistics]") {
  // Product of (|4 x_i - 2| + a_i) / (1 + a_i) (Sobol 1993).
  const std::vector<double> a = {0, 1, 4.5, 9};
  const auto f = [&](std::span<const double> x) {
    double product = 1;
    for (std::size_t k = 0; k < a.size(); ++k) {
      product *= (std::abs(4 * x[k] - 2) + a[k]) / (1 + a[k]);
    }
    return product;
  };
  double all = 1;
  std::vector<double> parts;
  for (const double ak : a) {
    parts.push_back(1 / (3 * (1 + ak) * (1 + ak)));
    all *= 1 + parts.back();
  }
  std::vector<double> first;
  std::vector<double> total;
  for (const double part : parts) {
    first.push_back(part / (all - 1));
    total.push_back(part * all / (1 + part) / (all - 1));
  }
  check_indices(sobol_indices(uniform_design(4, 0, 1), f), first, total, 0.01);
}

TEST_CASE("Sobol indices of an indicator", "[statistics]") {
  // 1 where x1 + x2 < 1: E[f|x1] = 1 - x1, so S = (1/12) / (1/4); the third input does nothing.
  const auto f = [](std::span<const double> x) { return x[0] + x[1] < 1 ? 1.0 : 0.0; };
  const SobolIndices indices = sobol_indices(uniform_design(3, 0, 1), f);
  check_indices(indices, {1.0 / 3, 1.0 / 3, 0.0}, {2.0 / 3, 2.0 / 3, 0.0}, 0.005);
  const SobolIndices none =
      sobol_indices(uniform_design(2, 0, 1), [](std::span<const double>) { return 1.0; });
  CHECK(none.variance == 0.0);
  CHECK(std::isnan(none.first[0]));
}

TEST_CASE("the shares of two groups of inputs", "[statistics]") {
  // x1 x2 + x3 on (0, 1): groups {x1, x2} and {x3} do not interact; {x1} and {x2, x3} do.
  const auto f = [](std::span<const double> x) { return x[0] * x[1] + x[2]; };
  const SobolDesign design = uniform_design(3, 0, 1);
  const double product = 1.0 / 9 - 1.0 / 16;
  const double v = product + 1.0 / 12;
  const GroupShares apart = group_shares(design, {true, true, false}, 300, f);
  CHECK(apart.first_alone == Approx(product / v).margin(0.005));
  CHECK(apart.second_alone == Approx(1.0 / 12 / v).margin(0.005));
  CHECK(apart.together == Approx(0).margin(0.005));
  const GroupShares mixed = group_shares(design, {true, false, false}, 300, f);
  CHECK(mixed.first_alone == Approx(1.0 / 48 / v).margin(0.005));
  CHECK(mixed.together == Approx(1.0 / 144 / v).margin(0.005));
}

TEST_CASE("the jackknife of a mean is its standard error", "[statistics]") {
  // Means without one of 4 values 1, 2, 3, 6; t(3) at 97.5 % is 3.18245.
  const std::vector<double> left_out = {11.0 / 3, 10.0 / 3, 3, 2};
  const double error = std::sqrt((4.0 + 1 + 0 + 9) / 3 / 4);
  const Interval i = jackknife_interval(3, left_out, 0.95);
  CHECK(i.high == Approx(3 + 3.18245 * error).epsilon(1e-5));
  CHECK(i.low == Approx(3 - 3.18245 * error).epsilon(1e-5));
  CHECK(std::isinf(jackknife_interval(3, std::vector<double>{1, NAN}, 0.95).high));
}

TEST_CASE("a logistic regression of two groups is their log odds", "[statistics]") {
  LogisticData data;
  data.features.resize(4, 2);
  data.features << 1, 0, 1, 0, 1, 1, 1, 1;
  data.labels.resize(4);
  data.labels << 1, 0, 1, 0;
  data.weights.resize(4);
  data.weights << 30, 10, 5, 20;
  const Eigen::VectorXd b = fit_logistic(data, 1e-9, Eigen::VectorXd::Zero(2));
  CHECK(b[0] == Approx(std::log(3.0)).epsilon(1e-3));
  CHECK(b[0] + b[1] == Approx(std::log(0.25)).epsilon(1e-3));
}

TEST_CASE("a ridge keeps a separated logistic regression finite", "[statistics]") {
  LogisticData data;
  data.features.resize(40, 2);
  data.labels.resize(40);
  data.weights = Eigen::VectorXd::Ones(40);
  for (Eigen::Index k = 0; k < 40; ++k) {
    data.features.row(k) << 1, static_cast<double>(k) / 20 - 1;
    data.labels[k] = k < 26 ? 0 : 1;
  }
  const Eigen::VectorXd b = fit_logistic(data, 0.05, Eigen::VectorXd::Zero(2));
  CHECK(b.allFinite());
  CHECK(-b[0] / b[1] == Approx(0.3).margin(0.06));  // between the last 0 and the first 1: 0.25, 0.3
}
