#include "grasp/analysis/tolerances/widened_trials.hpp"

#include <utility>

#include "grasp/statistics/random.hpp"

namespace graspmap {
namespace {

/// The draw numbers of the robot's errors; those below are the sampler's (trial_sampler.cpp).
constexpr std::uint32_t kFirstRobotDraw = 1000;

/// What follows the uncertain numbers among the numbers of a grasp.
constexpr std::size_t kFrictions = 2;
constexpr std::size_t kNoises = 3;

std::array<const Distribution*, kFrictions + kNoises> other_laws(const SweepConfig& config) {
  const PlacementSweep& placement = config.placement;
  return {&config.mu_jaw, &config.mu_support, &placement.noise_x_mm, &placement.noise_y_mm,
          &placement.noise_theta_rad};
}

}  // namespace

WidenedTrials::WidenedTrials(const SweepConfig& config, const AimAndRobot& aim)
    : config_(config), aim_(aim), inputs_(tolerance_inputs(config, aim)) {
  std::size_t place = 0;
  const auto add = [&](bool varies) {
    if (varies) place_.push_back(place);
    ++place;
  };
  for (const UncertainNumber& number : config.uncertain) {
    add(number.law.kind != DistributionKind::kFixed);
  }
  for (const Distribution* law : other_laws(config)) add(law->kind != DistributionKind::kFixed);
  for (const double sigma : aim.sigma) add(sigma > 0);
}

std::vector<double> WidenedTrials::numbers_of(const TrialParameters& parameters,
                                              std::vector<double> uncertain, std::uint64_t seed,
                                              std::uint64_t index) const {
  std::vector<double> numbers = std::move(uncertain);
  const auto& [x, y, theta] = aim_.at;
  numbers.insert(numbers.end(),
                 {parameters.mu_jaw, parameters.mu_support, parameters.placement_x_mm - x,
                  parameters.placement_y_mm - y, parameters.theta_rad - theta});
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double sigma = aim_.sigma[k];
    numbers.push_back(sigma > 0 ? quantile({DistributionKind::kNormal, 0.0, sigma},
                                           uniform_open(seed, index, kFirstRobotDraw + k))
                                : 0.0);
  }
  return numbers;
}

Outcome WidenedTrials::simulate(const std::vector<double>& numbers, Workspace& workspace,
                                SimulationResult& result) const {
  const std::span uncertain(numbers.data(), config_.uncertain.size());
  const std::span other(numbers.data() + uncertain.size(), kFrictions + 2 * kNoises);
  const auto& [x, y, theta] = aim_.at;
  TrialParameters parameters;
  parameters.mu_jaw = other[0];
  parameters.mu_support = other[1];
  parameters.placement_x_mm = x + other[2] + other[5];
  parameters.placement_y_mm = y + other[3] + other[6];
  parameters.theta_rad = theta + other[4] + other[7];
  return run_trial(config_, parameters, uncertain, workspace, result).outcome;
}

Outcome WidenedTrials::run(std::span<const double> factors, std::uint64_t seed, std::uint64_t index,
                           Workspace& workspace, SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  std::vector<double> numbers = numbers_of(sample_at(config_, {x, y, theta}, seed, index),
                                           sample_uncertain(config_, seed, index), seed, index);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    double& number = numbers[place_[k]];
    number = inputs_[k].scaled(number, factors[k]);
  }
  return simulate(numbers, workspace, result);
}

Outcome WidenedTrials::run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
                           SimulationResult& result) const {
  const auto& [x, y, theta] = aim_.at;
  return simulate(numbers_of(sample_at(config_, {x, y, theta}, seed, part),
                             sample_uncertain(config_, seed, part), seed, part.part),
                  workspace, result);
}

}  // namespace graspmap
