#include "grasp/decide/sensitivity/random_inputs.hpp"

#include <algorithm>
#include <string_view>

#include "geometry/assert.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {
namespace {

Distribution uniform_on(double min, double max) {
  return Distribution(Uniform{min, max}).fixed_if_narrow();
}

/// A place on an axis with an error.
Distribution around(const Axis& axis, double at, const Distribution& error) {
  if (const auto* uniform = error.as<Uniform>()) {
    return uniform_on(std::max(axis.min, at + uniform->min), std::min(axis.max, at + uniform->max));
  }
  const double sigma = std::sqrt(error.variance());
  return Distribution(TruncatedNormal{at, sigma, axis.min, axis.max}).fixed_if_narrow();
}

/// A piece's factor on the friction coefficient is friction too.
InputGroup group_of(std::string_view key) {
  if (key.starts_with("friction.") || key.ends_with(".friction_factor")) {
    return InputGroup::kFriction;
  }
  if (key.starts_with("part.")) return InputGroup::kPart;
  return key.starts_with("gripper.") ? InputGroup::kGripper : InputGroup::kSupport;
}

}  // namespace

const char* name(InputGroup group) {
  static constexpr std::array<const char*, kInputGroups> kNames = {"position", "friction", "part",
                                                                   "gripper", "support"};
  return kNames[static_cast<std::size_t>(group)];
}

RandomInputs::RandomInputs(const SweepConfig& config, const Distribution& x, const Distribution& y,
                           const Distribution& theta) {
  using enum InputGroup;
  const PlacementSweep& placement = config.placement;
  std::vector<RandomInput> all = {
      {"placement x", "x_mm", kPosition, x},
      {"placement y", "y_mm", kPosition, y},
      {"angle", "theta_rad", kPosition, theta},
      {"noise in x", "noise_x_mm", kPosition, placement.noise_x_mm},
      {"noise in y", "noise_y_mm", kPosition, placement.noise_y_mm},
      {"noise of the angle", "noise_theta_rad", kPosition, placement.noise_theta_rad},
      {"friction of the jaws", "mu_jaw", kFriction, config.mu_jaw},
      {"friction of the table", "mu_support", kFriction, config.mu_support}};
  for (std::size_t k = 0; k < kAlways; ++k) {
    if (!all[k].varies()) fixed_values_[k] = all[k].distribution.mean();
  }
  for (const UncertainNumber& number : config.uncertain) {
    all.push_back({number.key, number.key, group_of(number.key), number.distribution});
  }
  uncertain_ = config.uncertain.size();
  for (std::size_t k = 0; k < all.size(); ++k) {
    (all[k].varies() ? varying_ : fixed_).push_back(all[k]);
    if (all[k].varies()) place_.push_back(k);
  }
}

RandomInputs RandomInputs::of_map(const SweepConfig& config) {
  const PlacementSweep& grid = config.placement;
  return {config, uniform_on(grid.x_mm.min, grid.x_mm.max),
          uniform_on(grid.y_mm.min, grid.y_mm.max),
          uniform_on(grid.theta_rad.min, grid.theta_rad.max)};
}

RandomInputs RandomInputs::of_cell(const SweepConfig& config, std::size_t cell) {
  const PlacementSweep& grid = config.placement;
  const CellIndex at = cell_of_trial(grid, static_cast<std::int64_t>(cell));
  return {config, uniform_on(grid.x_mm.cell_min(at.x), grid.x_mm.cell_max(at.x)),
          uniform_on(grid.y_mm.cell_min(at.y), grid.y_mm.cell_max(at.y)),
          uniform_on(grid.theta_rad.cell_min(at.theta), grid.theta_rad.cell_max(at.theta))};
}

RandomInputs RandomInputs::of_aim(const SweepConfig& config, const AimedPlacement& aim) {
  const PlacementSweep& grid = config.placement;
  const Axis& theta = grid.theta_rad;
  return {config, around(grid.x_mm, aim.x_mm, aim.error[0]),
          around(grid.y_mm, aim.y_mm, aim.error[1]),
          aim.theta_rad ? around(theta, *aim.theta_rad, aim.error[2])
                        : uniform_on(theta.min, theta.max)};
}

std::vector<InputGroup> RandomInputs::groups() const {
  std::vector<InputGroup> groups;
  for (std::size_t g = 0; g < kInputGroups; ++g) {
    const auto group = static_cast<InputGroup>(g);
    const bool varies = std::any_of(varying_.begin(), varying_.end(),
                                    [&](const RandomInput& i) { return i.group == group; });
    if (varies) groups.push_back(group);
  }
  return groups;
}

std::vector<double> RandomInputs::values_of(const TrialSample& trial) const {
  const IntendedPlacement& aim = trial.intended;
  const TrialParameters& ran = trial.parameters;
  const std::array<double, kAlways> always = {aim.x_mm,
                                              aim.y_mm,
                                              aim.theta_rad,
                                              ran.placement_x_mm - aim.x_mm,
                                              ran.placement_y_mm - aim.y_mm,
                                              ran.theta_rad - aim.theta_rad,
                                              ran.mu_jaw,
                                              ran.mu_support};
  std::vector<double> values;
  for (const std::size_t k : place_) {
    values.push_back(k < kAlways ? always[k] : trial.uncertain[k - kAlways]);
  }
  return values;
}

void RandomInputs::set_inputs(std::span<const double> values, TrialInputs& inputs) const {
  GRASPMAP_ASSERT(values.size() == place_.size());
  std::array<double, kAlways> always = fixed_values_;
  inputs.uncertain.resize(uncertain_);
  for (std::size_t k = 0; k < place_.size(); ++k) {
    const std::size_t at = place_[k];
    (at < kAlways ? always[at] : inputs.uncertain[at - kAlways]) = values[k];
  }
  inputs.parameters = {always[0] + always[3], always[1] + always[4], always[2] + always[5],
                       always[6], always[7]};
}

}  // namespace graspmap
