#include "grasp/decide/tolerances/tolerance_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "grasp/decide/statistics/narrowed_law.hpp"
#include "grasp/sweep/config/limits.hpp"

namespace graspmap {
namespace {

/// A number that must be positive keeps this share of its mean.
constexpr double kLeastShare = 0.01;
constexpr NumberRange kFrictionValues{.min = 0.0, .max = limits::kMostFriction};
constexpr std::array kRobotKeys = {"robot.x_mm", "robot.y_mm", "robot.theta_rad"};

/// A key without the index of an element of a list: "semi_axes_mm" for "semi_axes_mm.0".
std::string_view without_index(std::string_view key) {
  const bool indexed =
      key.size() > 2 && key[key.size() - 2] == '.' && key.back() >= '0' && key.back() <= '9';
  return indexed ? key.substr(0, key.size() - 2) : key;
}

void set_physical_range(ToleranceInput& input, const NumberRange& range) {
  const bool is_positive = range.min > 0 || range.above_min;
  input.least = is_positive ? std::max(range.min, kLeastShare * mean_of_law(input.law)) : range.min;
  input.most = range.max;
  // What today's law draws is possible.
  input.least = std::min(input.least, quantile(input.law, kLeastLevel));
  input.most = std::max(input.most, quantile(input.law, 1 - kLeastLevel));
}

void add_input(std::vector<ToleranceInput>& inputs, const std::string& key, const Distribution& law,
               const NumberRange& range) {
  if (law.kind != DistributionKind::kFixed) inputs.push_back(tolerance_input(key, law, range));
}

}  // namespace

Distribution ToleranceInput::law_of(double factor) const {
  if (factor == 1) return law;
  if (factor > 0) return narrowed_law(law, factor);
  return {DistributionKind::kFixed, mean_of_law(law)};
}

ToleranceInput tolerance_input(const std::string& key, const Distribution& law,
                               const NumberRange& range) {
  ToleranceInput input;
  input.key = key;
  input.law = law;
  if (law.kind == DistributionKind::kUniform) {
    input.measure = WidthMeasure::kHalfWidth;
    input.width = (law.max - law.min) / 2;
  } else {
    input.width = law.sigma > 0 ? law.sigma : std::sqrt(variance_of_law(law));
  }
  set_physical_range(input, range);
  return input;
}

std::vector<ToleranceInput> tolerance_inputs(const SweepConfig& config, const AimAndRobot& aim) {
  std::vector<ToleranceInput> inputs;
  for (const UncertainNumber& number : config.uncertain)
    add_input(inputs, number.key, number.law, number.number.range());
  add_input(inputs, "friction.jaw", config.mu_jaw, kFrictionValues);
  add_input(inputs, "friction.support", config.mu_support, kFrictionValues);
  add_input(inputs, "placement.noise.x_mm", config.placement.noise_x_mm, kAnyNumber);
  add_input(inputs, "placement.noise.y_mm", config.placement.noise_y_mm, kAnyNumber);
  add_input(inputs, "placement.noise.theta_rad", config.placement.noise_theta_rad, kAnyNumber);
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(aim.sigma[k] > 0)) continue;
    add_input(inputs, kRobotKeys[k], {DistributionKind::kNormal, 0.0, aim.sigma[k]}, kAnyNumber);
  }
  return inputs;
}

std::string unit_of_key(const std::string& key) {
  struct Ending {
    const char* key;
    const char* unit;
  };
  constexpr std::array<Ending, 7> kEndings = {{{"_mm_s2", "mm/s²"},
                                               {"_mm_s", "mm/s"},
                                               {"_kg_mm2", "kg mm²"},
                                               {"_mm", "mm"},
                                               {"_kg", "kg"},
                                               {"_rad", "rad"},
                                               {"_n", "N"}}};
  const std::string_view plain = without_index(key);
  for (const Ending& ending : kEndings) {
    if (plain.ends_with(ending.key)) return ending.unit;
  }
  return "";
}

std::string width_text(const ToleranceInput& input, double width) {
  const std::string unit = unit_of_key(input.key);
  return fmt::format("{}{:.3g}{}{}", input.measure == WidthMeasure::kHalfWidth ? "±" : "σ ", width,
                     unit.empty() ? "" : " ", unit);
}

}  // namespace graspmap
