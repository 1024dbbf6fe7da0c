#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

/// A standard normal whose draws beyond a and b become these.
MeanAndVariance clamped_normal(double a, double b) {
  const auto phi = [](double z) {
    return std::isfinite(z) ? std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi) : 0.0;
  };
  const double below = normal_cumulative(a);
  const double above = normal_cumulative(-b);
  const double low = std::isfinite(a) ? a : 0.0;  // times a probability of 0
  const double high = std::isfinite(b) ? b : 0.0;
  // The bounds times what lies beyond them, and the integrals of z and z^2 between them.
  const double mean = low * below + high * above + phi(a) - phi(b);
  const double square = low * low * below + high * high * above + (1.0 - below - above) +
                        low * phi(a) - high * phi(b);
  return {mean, std::max(0.0, square - mean * mean)};
}

/// A lognormal with bounds, less its mean without them, in units of that mean: the deviation
/// exp(s z - s^2 / 2) - 1 integrated over the normal score z, and what lies beyond the bounds on
/// them. Exact to about ten digits however narrow the distribution is.
MeanAndVariance clamped_lognormal(const Lognormal& d) {
  const double ratio = d.sigma / d.mean;
  const double s = std::sqrt(std::log1p(ratio * ratio));
  constexpr double kFar = 9.0;  // beyond it lies less than 1e-18
  constexpr int kPanels = 40;
  const auto score = [&](double x) {
    return x <= 0 ? -kFar : std::log1p((x - d.mean) / d.mean) / s + s / 2;
  };
  const double farthest = kFar + 2 * s;  // the square's weight is a normal about 2 s
  const double low = std::clamp(std::isfinite(d.min) ? score(d.min) : -kFar, -kFar, farthest);
  const double high = std::clamp(std::isfinite(d.max) ? score(d.max) : farthest, -kFar, farthest);
  // Not exp - 1: of a narrow distribution nothing but rounding errors would be left.
  const auto deviation = [&](double z) { return std::expm1(s * (z - s / 2)); };
  const auto moment = [&](int power) {
    const auto f = [&](double z) {
      return std::pow(deviation(z), power) * std::exp(-0.5 * z * z) /
             std::sqrt(2.0 * std::numbers::pi);
    };
    double sum = normal_cumulative(low) * std::pow(deviation(low), power) +
                 normal_cumulative(-high) * std::pow(deviation(high), power);
    for (int k = 0; k < kPanels; ++k) {
      const double width = (high - low) / kPanels;
      sum += boost::math::quadrature::gauss<double, 10>::integrate(f, low + k * width,
                                                                   low + (k + 1) * width);
    }
    return sum;
  };
  const double mean = moment(1);
  return {mean, std::max(0.0, moment(2) - mean * mean)};
}

/// Values, or the centres of bins that are uniform and this wide.
MeanAndVariance listed(const std::vector<double>& centers, const std::vector<double>& widths,
                       const std::vector<double>& weights) {
  MeanAndVariance moments;
  for (std::size_t k = 0; k < weights.size(); ++k) moments.mean += weights[k] * centers[k];
  // Not E x^2 - mean^2, which cancels; a bin has the variance of a uniform.
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double shift = centers[k] - moments.mean;
    moments.variance += weights[k] * (shift * shift + widths[k] * widths[k] / 12);
  }
  return moments;
}

}  // namespace

MeanAndVariance Normal::moments() const {
  if (std::isinf(min) && std::isinf(max)) return {mean, sigma * sigma};
  const auto [shift, variance] = clamped_normal((min - mean) / sigma, (max - mean) / sigma);
  return {mean + sigma * shift, sigma * sigma * variance};
}

MeanAndVariance TruncatedNormal::moments() const {
  if (const auto uniform = flat()) return uniform->moments();
  // With the density f: mean + sigma^2 (f(min) - f(max)), and
  // sigma^2 (1 + (min - mean) f(min) - (max - mean) f(max)) - (shift of the mean)^2.
  const double s2 = sigma * sigma;
  const double at_min = density(min);
  const double at_max = density(max);
  const double moved = mean + s2 * (at_min - at_max);
  const auto term = [&](double end, double density) {
    return std::isfinite(end) ? (end - mean) * density : 0.0;
  };
  const double shift = moved - mean;
  const double variance = s2 * (1 + term(min, at_min) - term(max, at_max)) - shift * shift;
  return {moved, std::max(0.0, variance)};
}

MeanAndVariance Lognormal::moments() const {
  if (min <= 0 && std::isinf(max)) return {mean, sigma * sigma};
  const auto [shift, variance] = clamped_lognormal(*this);
  return {mean * (1 + shift), mean * mean * variance};
}

MeanAndVariance Triangular::moments() const {
  const double p = mode - min;
  const double q = max - mode;
  return {mode + ((min - mode) + (max - mode)) / 3, (p * p + p * q + q * q) / 18};
}

MeanAndVariance Discrete::moments() const {
  return listed(values, std::vector<double>(values.size(), 0.0), weights);
}

MeanAndVariance Histogram::moments() const {
  std::vector<double> centers;
  std::vector<double> widths;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    widths.push_back(edges[k + 1] - edges[k]);
    centers.push_back(edges[k] + widths.back() / 2);
  }
  return listed(centers, widths, weights);
}

}  // namespace graspmap
