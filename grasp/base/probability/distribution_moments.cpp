#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {
namespace {

bool is_bounded(const Distribution& d) { return std::isfinite(d.min) || std::isfinite(d.max); }

/// What bounds do to a law: the mean and the variance of its draws in units of a scale.
struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

/// A standard normal whose draws beyond a and b become these.
Moments clamped_normal(double a, double b) {
  const auto phi = [](double z) {
    return std::isfinite(z) ? std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi) : 0.0;
  };
  const double below = normal_cumulative(a);
  const double above = normal_cumulative(-b);
  const double low = std::isfinite(a) ? a : 0.0;  // times a probability of 0
  const double high = std::isfinite(b) ? b : 0.0;
  const double mean = low * below + high * above + phi(a) - phi(b);
  const double square = low * low * below + high * high * above + (1.0 - below - above) +
                        low * phi(a) - high * phi(b);
  return {mean, std::max(0.0, square - mean * mean)};
}

/// A lognormal with bounds, less its mean without them, in units of that mean: the deviation
/// exp(s z - s^2 / 2) - 1 integrated over the normal score z, and what lies beyond the bounds on
/// them. Exact to about ten digits however narrow the law is.
Moments clamped_lognormal(const Distribution& d) {
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

/// A discrete law or a histogram. A bin is uniform.
Moments listed(const Distribution& d) {
  const bool has_bins = d.kind == DistributionKind::kHistogram;
  const auto center = [&](std::size_t k) {
    return has_bins ? d.values[k] + (d.values[k + 1] - d.values[k]) / 2 : d.values[k];
  };
  Moments moments;
  for (std::size_t k = 0; k < d.weights.size(); ++k) moments.mean += d.weights[k] * center(k);
  for (std::size_t k = 0; k < d.weights.size(); ++k) {
    const double width = has_bins ? d.values[k + 1] - d.values[k] : 0.0;
    const double shift = center(k) - moments.mean;
    moments.variance += d.weights[k] * (shift * shift + width * width / 12);
  }
  return moments;
}

}  // namespace

double mean_of_law(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return d.mean;
    case DistributionKind::kUniform:
      return (d.min + d.max) / 2;
    case DistributionKind::kNormal:
      if (!is_bounded(d)) return d.mean;
      return d.mean +
             d.sigma * clamped_normal((d.min - d.mean) / d.sigma, (d.max - d.mean) / d.sigma).mean;
    case DistributionKind::kTruncatedNormal:
      // mean + sigma^2 (f(min) - f(max)) with the density f.
      return d.mean + d.sigma * d.sigma * (density(d, d.min) - density(d, d.max));
    case DistributionKind::kLognormal:
      if (d.min <= 0 && std::isinf(d.max)) return d.mean;
      return d.mean * (1 + clamped_lognormal(d).mean);
    case DistributionKind::kTriangular:
      return d.mode + ((d.min - d.mode) + (d.max - d.mode)) / 3;
    case DistributionKind::kDiscrete:
    case DistributionKind::kHistogram:
      return listed(d).mean;
  }
  return d.mean;
}

double variance_of_law(const Distribution& d) {
  switch (d.kind) {
    case DistributionKind::kFixed:
      return 0.0;
    case DistributionKind::kUniform:
      return (d.max - d.min) * (d.max - d.min) / 12;
    case DistributionKind::kNormal:
      if (!is_bounded(d)) return d.sigma * d.sigma;
      return d.sigma * d.sigma *
             clamped_normal((d.min - d.mean) / d.sigma, (d.max - d.mean) / d.sigma).variance;
    case DistributionKind::kTruncatedNormal: {
      // sigma^2 (1 + (min - mean) f(min) - (max - mean) f(max)) - (shift of the mean)^2.
      const auto term = [&](double end) {
        return std::isfinite(end) ? (end - d.mean) * density(d, end) : 0.0;
      };
      const double shift = mean_of_law(d) - d.mean;
      const double s2 = d.sigma * d.sigma;
      return std::max(0.0, s2 * (1 + term(d.min) - term(d.max)) - shift * shift);
    }
    case DistributionKind::kLognormal:
      if (d.min <= 0 && std::isinf(d.max)) return d.sigma * d.sigma;
      return d.mean * d.mean * clamped_lognormal(d).variance;
    case DistributionKind::kTriangular: {
      const double p = d.mode - d.min;
      const double q = d.max - d.mode;
      return (p * p + p * q + q * q) / 18;
    }
    case DistributionKind::kDiscrete:
    case DistributionKind::kHistogram:
      return listed(d).variance;
  }
  return 0.0;
}

}  // namespace graspmap
