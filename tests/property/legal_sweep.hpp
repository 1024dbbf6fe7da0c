#pragma once

#include <cmath>
#include <limits>
#include <tuple>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/property/legal_trials.hpp"

namespace graspmap::testing {

/// A sweep of one trial, the given one: a cell that is three numbers wide has one inside.
inline SweepConfig sweep_of(const LegalTrial& trial, const std::string& name) {
  SweepConfig config;
  config.name = name;
  static_cast<Scenario&>(config.scenario) = trial.scenario;
  config.scenario.program_as_drawn = trial.phases;
  const Gripper& gripper = trial.scenario.gripper;
  const auto numbers = [](const Pad& pad) {
    return std::tuple(pad.normal_n_per_mm2, pad.shear_n_per_mm2, pad.spread_mm);
  };
  config.scenario.same_pads =
      gripper.right_pad && numbers(*gripper.right_pad) == numbers(*gripper.left_pad);
  const auto at = [](double value) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    return Axis{std::nextafter(value, -kFar), std::nextafter(value, kFar), 1};
  };
  const TrialParameters& parameters = trial.parameters;
  config.mu_jaw = Fixed{parameters.mu_jaw};
  config.mu_support = Fixed{parameters.mu_support};
  config.placement.x_mm = at(parameters.placement_x_mm);
  config.placement.y_mm = at(parameters.placement_y_mm);
  config.placement.theta_rad = fixed_angle(parameters.theta_rad);
  SuccessAlternative held;
  held.at_rest = true;
  config.success = {held};
  config.trials_per_cell = 1;
  return config;
}

}  // namespace graspmap::testing
