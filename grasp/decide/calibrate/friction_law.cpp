#include "grasp/decide/calibrate/friction_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace graspmap {
namespace {

constexpr double kLeastWidth = 1e-6;  // of the range: a law has a width

Distribution uniform_law_at(const FrictionRange& range, double u1, double u2) {
  const double all = range.high - range.low;
  const double least = kLeastWidth * all;
  if (!range.holds_all) {
    const double mean = range.low + all * u1;
    const double half = std::max(all * u2, least) / 2;
    const double min = std::max(mean - half, 0.0);
    return {.kind = DistributionKind::kUniform, .min = min, .max = mean + half};
  }
  const double width = std::clamp(all * (1 - std::sqrt(1 - u2)), least, all * (1 - kLeastWidth));
  const double min = range.low + (all - width) * u1;
  return {.kind = DistributionKind::kUniform, .min = min, .max = std::min(min + width, range.high)};
}

Distribution normal_law_at(const FrictionRange& range, double u1, double u2) {
  const double all = range.high - range.low;
  return {DistributionKind::kTruncatedNormal, range.low + all * u1,
          all * std::max(u2, kLeastWidth) / 2, range.holds_all ? range.low : 0.0,
          range.holds_all ? range.high : range.high + all};
}

double normal_density(double x, double sigma) {
  const double z = x / sigma;
  return std::exp(-0.5 * z * z) / (sigma * std::sqrt(2 * std::numbers::pi));
}

/// sinh(d) / (width (cosh(x) + cosh(d))), divided by exp(max(|x|, d)) above and below.
double smoothed_uniform(const Distribution& law, double noise, double z) {
  const double h = noise * std::numbers::sqrt3 / std::numbers::pi;
  const double width = law.max - law.min;
  const double x = std::abs(z - (law.min + law.max) / 2) / h;
  const double d = width / (2 * h);
  const double top = std::max(x, d);
  const double cosh_sum =
      std::exp(x - top) + std::exp(-x - top) + std::exp(d - top) + std::exp(-d - top);
  const double sinh_d = d < 1e-3 ? 2 * d * std::exp(-top) : std::exp(d - top) - std::exp(-d - top);
  return sinh_d / (width * cosh_sum);
}

}  // namespace

const char* name(LawFamily family) {
  switch (family) {
    case LawFamily::kUniform:
      return "uniform";
    case LawFamily::kNormal:
      return "normal";
  }
  return "";
}

Distribution law_at(LawFamily family, const FrictionRange& range, double u1, double u2) {
  if (range.is_fixed()) return {.kind = DistributionKind::kFixed, .mean = range.low};
  return family == LawFamily::kUniform ? uniform_law_at(range, u1, u2)
                                       : normal_law_at(range, u1, u2);
}

double smoothed_density(const Distribution& law, double noise, double z) {
  switch (law.kind) {
    case DistributionKind::kFixed:
      return normal_density(z - law.mean, noise);
    case DistributionKind::kUniform:
      return smoothed_uniform(law, noise, z);
    case DistributionKind::kNormal:
      return normal_density(z - law.mean, std::hypot(law.sigma, noise));
    case DistributionKind::kTruncatedNormal: {
      if (z < law.min || z > law.max) return 0.0;
      const double sigma = std::hypot(law.sigma, noise);
      const Distribution wider{DistributionKind::kTruncatedNormal, law.mean, sigma, law.min,
                               law.max};
      return density(wider, z);
    }
    default:
      throw std::logic_error("a calibration has no law of this kind");
  }
}

}  // namespace graspmap
