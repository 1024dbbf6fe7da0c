#include "grasp/decide/tolerances/widened_trials.hpp"

#include <algorithm>
#include <utility>

#include "grasp/base/probability/random.hpp"

namespace graspmap {
namespace {

/// The draw numbers of the robot's errors; those below are the sampler's (trial_sampler.cpp).
constexpr std::uint32_t kFirstRobotDraw = 1000;

/// The laws behind the uncertain numbers, in the order of a grasp's numbers.
std::array<Distribution*, 5> other_laws(SweepConfig& config) {
  PlacementSweep& placement = config.placement;
  return {&config.mu_jaw, &config.mu_support, &placement.noise_x_mm, &placement.noise_y_mm,
          &placement.noise_theta_rad};
}

/// The normal error of a robot at a level; 0 for an exact one.
double robot_error(double sigma, double u) {
  return sigma > 0 ? quantile({DistributionKind::kNormal, 0.0, sigma}, u) : 0.0;
}

}  // namespace

WidenedTrials::WidenedTrials(const SweepConfig& config, const AimAndRobot& aim,
                             std::span<const double> factors)
    : config_(config), aim_(aim), inputs_(tolerance_inputs(config, aim)) {
  std::size_t place = 0;
  const auto widen = [&](Distribution& law) {
    if (law.kind != DistributionKind::kFixed) {
      law = inputs_[place_.size()].law_of(factors[place_.size()]);
      place_.push_back(place);
    }
    ++place;
  };
  for (UncertainNumber& number : config_.uncertain) widen(number.law);
  for (Distribution* law : other_laws(config_)) widen(*law);
  for (double& sigma : aim_.sigma) {
    if (sigma > 0) {
      sigma *= factors[place_.size()];
      place_.push_back(place);
    }
    ++place;
  }
}

Outcome WidenedTrials::simulate(TrialParameters parameters, std::vector<double> uncertain,
                                std::uint64_t seed, std::uint64_t index, Workspace& workspace,
                                SimulationResult& result) const {
  const std::size_t count = uncertain.size();
  const auto& [x, y, theta] = aim_.at;
  std::vector<double> numbers = std::move(uncertain);
  numbers.insert(numbers.end(),
                 {parameters.mu_jaw, parameters.mu_support, parameters.placement_x_mm - x,
                  parameters.placement_y_mm - y, parameters.theta_rad - theta});
  for (std::uint32_t k = 0; k < 3; ++k) {
    numbers.push_back(robot_error(aim_.sigma[k], uniform_open(seed, index, kFirstRobotDraw + k)));
  }
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    double& number = numbers[place_[k]];
    number = std::clamp(number, inputs_[k].least, inputs_[k].most);
  }
  const double* other = numbers.data() + count;
  parameters.mu_jaw = other[0];
  parameters.mu_support = other[1];
  parameters.placement_x_mm = x + other[2] + other[5];
  parameters.placement_y_mm = y + other[3] + other[6];
  parameters.theta_rad = theta + other[4] + other[7];
  try {
    return run_trial(config_, parameters, std::span(numbers.data(), count), workspace, result)
        .outcome;
  } catch (const ConfigError&) {
    return Outcome::kBlocked;
  }
}

Outcome WidenedTrials::run(std::uint64_t seed, std::uint64_t index, Workspace& workspace,
                           SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  return simulate(sample_at(config_, {x, y, theta}, seed, index),
                  sample_uncertain(config_, seed, index), seed, index, workspace, result);
}

Outcome WidenedTrials::run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
                           SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  return simulate(sample_at(config_, {x, y, theta}, seed, part),
                  sample_uncertain(config_, seed, part), seed, part.part, workspace, result);
}

}  // namespace graspmap
