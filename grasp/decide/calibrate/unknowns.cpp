#include "grasp/decide/calibrate/unknowns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/calibrate/discrepancy.hpp"

namespace graspmap {
namespace {

constexpr double kLeastWidth = 1e-6;  // of the range: a distribution has a width
constexpr double kWidthScale = 0.5;   // of the half-Cauchy prior, over the mean
constexpr double kMostWidth = 4;      // over the mean

/// The width over the mean at a level of its prior.
double relative_width(double u) {
  return std::max(kWidthScale * std::tan(u * std::atan(kMostWidth / kWidthScale)), kLeastWidth);
}

/// The largest friction of the widest distribution that is sought in a range beyond which
/// distributions may reach.
double most_friction(const FrictionRange& range) { return (1 + kMostWidth / 2) * range.high; }

Distribution uniform_at(const FrictionRange& range, double u1, double u2) {
  const double all = range.high - range.low;
  if (!range.holds_all) {
    const double mean = range.low + all * u1;
    const double half = std::max(mean, kLeastWidth * all) * relative_width(u2) / 2;
    const double min = std::max(mean - half, 0.0);
    return Uniform{min, mean + half};
  }
  const double least = kLeastWidth * all;
  const double width = std::clamp(all * (1 - std::sqrt(1 - u2)), least, all * (1 - kLeastWidth));
  const double min = range.low + (all - width) * u1;
  return Uniform{min, std::min(min + width, range.high)};
}

Distribution normal_at(const FrictionRange& range, double u1, double u2) {
  const double all = range.high - range.low;
  const double mean = range.low + all * u1;
  if (!range.holds_all) {
    const double sigma =
        std::max(mean, kLeastWidth * all) * relative_width(u2) / (2 * std::numbers::sqrt3);
    return TruncatedNormal{mean, sigma, 0.0, most_friction(range)};
  }
  return TruncatedNormal{mean, all * std::max(u2, kLeastWidth) / 2, range.low, range.high};
}

/// sinh(d) / (width (cosh(x) + cosh(d))), divided by exp(max(|x|, d)) above and below.
double smoothed_uniform(const Uniform& distribution, double noise, double z) {
  const double h = noise * std::numbers::sqrt3 / std::numbers::pi;
  const double width = distribution.max - distribution.min;
  const double x = std::abs(z - (distribution.min + distribution.max) / 2) / h;
  const double d = width / (2 * h);
  const double top = std::max(x, d);
  const double cosh_sum =
      std::exp(x - top) + std::exp(-x - top) + std::exp(d - top) + std::exp(-d - top);
  const double sinh_d = d < 1e-3 ? 2 * d * std::exp(-top) : std::exp(d - top) - std::exp(-d - top);
  return sinh_d / (width * cosh_sum);
}

}  // namespace

const char* name(FrictionFamily family) {
  return family == FrictionFamily::kUniform ? "uniform" : "normal";
}

Distribution distribution_at(FrictionFamily family, const FrictionRange& range, double u1,
                             double u2) {
  if (range.is_fixed()) return Fixed{range.low};
  return family == FrictionFamily::kUniform ? uniform_at(range, u1, u2) : normal_at(range, u1, u2);
}

Distribution blurred(const Distribution& distribution, double noise) {
  if (const auto* fixed = distribution.as<Fixed>()) return Normal{fixed->value, noise};
  if (const auto* normal = distribution.as<Normal>()) {
    return Normal{normal->mean, std::hypot(normal->sigma, noise)};
  }
  const auto* bounded = distribution.as<TruncatedNormal>();
  GRASPMAP_CHECK(bounded != nullptr);  // a calibration has no other distribution
  return TruncatedNormal{bounded->mean, std::hypot(bounded->sigma, noise), bounded->min,
                         bounded->max};
}

double smoothed_density(const Distribution& distribution, double noise, double z) {
  const auto* uniform = distribution.as<Uniform>();
  return uniform != nullptr ? smoothed_uniform(*uniform, noise, z)
                            : blurred(distribution, noise).density(z);
}

namespace {

/// Normal about a constant; the constant itself without noise.
Distribution scattered(double value, double sigma) {
  return Distribution(Normal{value, sigma}).fixed_if_narrow();
}

/// What u in [0, 1] stands for between -most and most.
double plus_minus(double u, double most) { return most * (2 * u - 1); }

/// The value that a number in [0, 1] stands for.
double value_at(const SoughtNumber& number, double u) {
  return number.low + (number.high - number.low) * u;
}

}  // namespace

SoughtNumber sought_number(const SweepConfig& config, std::size_t place) {
  const UncertainNumber& number = config.uncertain[place];
  const Distribution& distribution = number.distribution;
  SoughtNumber sought{.key = number.key, .place = place};
  sought.least = distribution.quantile(kLeastLevel);
  sought.most = distribution.quantile(1 - kLeastLevel);
  Interval likely{distribution.quantile(0.001), distribution.quantile(0.999)};
  if (const auto* normal = distribution.as<Normal>()) {
    const double lot = normal->lot_sigma;
    const double reach = 3 * (lot > 0 ? lot : normal->sigma);
    likely = {normal->mean - reach, normal->mean + reach};
    if (lot > 0) {
      sought.part_sigma = std::sqrt(std::max(0.0, normal->sigma * normal->sigma - lot * lot));
    }
  }
  sought.low = std::max(likely.low, sought.least);
  sought.high = std::min(likely.high, sought.most);
  return sought;
}

Unknowns::Unknowns(FrictionFamily family, const std::array<FrictionRange, 2>& ranges,
                   const Nuisances& nuisances)
    : family_(family), ranges_(ranges), nuisances_(nuisances) {
  // The order of reported_ is that of values(), and the order of inputs_ that of distributions().
  const Nuisances& n = nuisances_;
  for (std::size_t which = 0; which < 2; ++which) add_friction(which);
  if (n.offset) {
    offset_at_ = static_cast<std::size_t>(dimension_);
    add_parameter("offset.x_mm", -n.most_offset_mm, n.most_offset_mm, false);
    add_parameter("offset.y_mm", -n.most_offset_mm, n.most_offset_mm, false);
    add_parameter("offset.theta_rad", -n.most_offset_rad, n.most_offset_rad, false);
  }
  if (n.noise) {
    noise_at_ = static_cast<std::size_t>(dimension_);
    add_parameter("noise.xy_mm", 0, n.most_noise_mm, true);
    add_parameter("noise.theta_rad", 0, n.most_noise_rad, true);
  }
  // One input each: an offset moves the distribution of a coordinate, noise makes it wider.
  if (n.offset || n.noise) {
    inputs_.insert(inputs_.end(),
                   {SoughtInput::kOffsetX, SoughtInput::kOffsetY, SoughtInput::kOffsetTheta});
  }
  if (n.support) {
    support_at_ = static_cast<std::size_t>(dimension_);
    add_parameter("support." + n.support_name + "_mm", n.e_r_mm / n.most_support_factor,
                  n.e_r_mm * n.most_support_factor, false);
    inputs_.push_back(SoughtInput::kSupportScale);
  }
  if (n.size) {
    size_at_ = static_cast<std::size_t>(dimension_);
    add_parameter("part.size", 1 - n.most_size_change, 1 + n.most_size_change, false);
    inputs_.push_back(SoughtInput::kSize);
  }
  numbers_at_ = static_cast<std::size_t>(dimension_);
  for (const SoughtNumber& number : n.numbers) {
    add_parameter(number.key, number.low, number.high, false);
    inputs_.push_back(SoughtInput::kNumber);
  }
  // The last number of a point. No input, for no simulation depends on it.
  if (n.discrepancy) add_parameter("discrepancy.sd", 0, 3 * kDiscrepancyScale, true);
}

void Unknowns::add_parameter(const std::string& name, double low, double high,
                             bool low_is_physical) {
  reported_.push_back({name, true, low, high, low_is_physical});
  ++dimension_;
}

void Unknowns::add_friction(std::size_t which) {
  const FrictionRange& range = ranges_[which];
  if (range.is_fixed()) return;
  friction_at_[which] = static_cast<std::size_t>(dimension_);
  const double all = range.high - range.low;
  const bool from_zero = range.low <= 0;
  add_parameter(range.key + ".mean", range.low, range.high, from_zero);
  const double most = range.holds_all ? range.high : most_friction(range);
  const double most_width = range.holds_all ? all : kMostWidth * range.high;
  switch (family_) {
    case FrictionFamily::kUniform:
      add_parameter(range.key + ".width", 0, most_width, true);
      reported_.push_back({range.key + ".min", false, range.holds_all ? range.low : 0.0, range.high,
                           from_zero || !range.holds_all});
      reported_.push_back({range.key + ".max", false, range.low, most, from_zero});
      break;
    case FrictionFamily::kNormal:
      add_parameter(range.key + ".sigma", 0,
                    range.holds_all ? all / 2 : most_width / (2 * std::numbers::sqrt3), true);
      reported_.push_back({range.key + " on average", false, range.low, most, from_zero});
      break;
  }
  inputs_.push_back(which == 0 ? SoughtInput::kMuJaw : SoughtInput::kMuSupport);
}

Distribution Unknowns::friction_distribution(std::span<const double> point,
                                             std::size_t which) const {
  const FrictionRange& range = ranges_[which];
  if (range.is_fixed()) return Fixed{range.low};
  const std::size_t at = friction_at_[which];
  return distribution_at(family_, range, point[at], point[at + 1]);
}

std::vector<double> Unknowns::prior_point(std::uint64_t seed, std::uint64_t index) const {
  std::vector<double> point;
  for (int k = 0; k < dimension_; ++k) {
    point.push_back(uniform_open(seed, index, static_cast<std::uint32_t>(k)));
  }
  return point;
}

std::vector<double> Unknowns::values(std::span<const double> point) const {
  std::vector<double> values;
  for (std::size_t which = 0; which < 2; ++which) {
    if (ranges_[which].is_fixed()) continue;
    const Distribution distribution = friction_distribution(point, which);
    if (const auto* uniform = distribution.as<Uniform>()) {
      const auto [min, max] = *uniform;
      values.insert(values.end(), {distribution.mean(), max - min, min, max});
    } else if (const auto* normal = distribution.as<TruncatedNormal>()) {
      values.insert(values.end(), {normal->mean, normal->sigma, distribution.mean()});
    }
  }
  const Nuisances& n = nuisances_;
  if (n.offset) {
    values.push_back(plus_minus(point[offset_at_], n.most_offset_mm));
    values.push_back(plus_minus(point[offset_at_ + 1], n.most_offset_mm));
    values.push_back(plus_minus(point[offset_at_ + 2], n.most_offset_rad));
  }
  if (n.noise) {
    values.push_back(n.most_noise_mm * point[noise_at_]);
    values.push_back(n.most_noise_rad * point[noise_at_ + 1]);
  }
  if (n.support) {
    values.push_back(n.e_r_mm * std::pow(n.most_support_factor, 2 * point[support_at_] - 1));
  }
  if (n.size) values.push_back(1 + plus_minus(point[size_at_], n.most_size_change));
  for (std::size_t k = 0; k < n.numbers.size(); ++k) {
    values.push_back(value_at(n.numbers[k], point[numbers_at_ + k]));
  }
  if (n.discrepancy) values.push_back(discrepancy_sd(point.back()));
  return values;
}

std::vector<Distribution> Unknowns::friction_distributions(std::span<const double> point) const {
  std::vector<Distribution> distributions;
  for (std::size_t which = 0; which < 2; ++which) {
    if (!ranges_[which].is_fixed()) distributions.push_back(friction_distribution(point, which));
  }
  return distributions;
}

std::vector<Distribution> Unknowns::distributions(std::span<const double> point) const {
  std::vector<Distribution> distributions = friction_distributions(point);
  const Nuisances& n = nuisances_;
  if (n.offset || n.noise) {
    const auto offset = [&](std::size_t k, double most) {
      return n.offset ? plus_minus(point[offset_at_ + k], most) : 0.0;
    };
    const double xy = n.noise ? n.most_noise_mm * point[noise_at_] : 0.0;
    const double theta = n.noise ? n.most_noise_rad * point[noise_at_ + 1] : 0.0;
    distributions.push_back(scattered(offset(0, n.most_offset_mm), xy));
    distributions.push_back(scattered(offset(1, n.most_offset_mm), xy));
    distributions.push_back(scattered(offset(2, n.most_offset_rad), theta));
  }
  if (n.support) {
    distributions.push_back(Fixed{std::pow(n.most_support_factor, 2 * point[support_at_] - 1)});
  }
  if (n.size) distributions.push_back(Fixed{1 + plus_minus(point[size_at_], n.most_size_change)});
  for (std::size_t k = 0; k < n.numbers.size(); ++k) {
    distributions.push_back(
        scattered(value_at(n.numbers[k], point[numbers_at_ + k]), n.numbers[k].part_sigma));
  }
  return distributions;
}

std::vector<Distribution> Unknowns::prior_distributions(std::span<const double> point) const {
  const Nuisances& n = nuisances_;
  std::vector<Distribution> distributions = friction_distributions(point);
  if (n.offset || n.noise) {
    const double xy = (n.offset ? n.most_offset_mm : 0.0) + (n.noise ? n.most_noise_mm : 0.0);
    const double theta = (n.offset ? n.most_offset_rad : 0.0) + (n.noise ? n.most_noise_rad : 0.0);
    distributions.insert(distributions.end(),
                         {Uniform{-xy, xy}, Uniform{-xy, xy}, Uniform{-theta, theta}});
  }
  if (n.support) distributions.push_back(Uniform{1 / n.most_support_factor, n.most_support_factor});
  if (n.size) distributions.push_back(Uniform{1 - n.most_size_change, 1 + n.most_size_change});
  for (const SoughtNumber& number : n.numbers) {
    distributions.push_back(Uniform{std::max(number.low - 2 * number.part_sigma, number.least),
                                    std::min(number.high + 2 * number.part_sigma, number.most)});
  }
  return distributions;
}

InputValues Unknowns::with(std::span<const double> values) const {
  InputValues all{{ranges_[0].low, ranges_[1].low, 0, 0, 0, 1, 1}};
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (inputs_[k] == SoughtInput::kNumber) {
      all.numbers.push_back(values[k]);
    } else {
      all.common[static_cast<std::size_t>(inputs_[k])] = values[k];
    }
  }
  return all;
}

}  // namespace graspmap
