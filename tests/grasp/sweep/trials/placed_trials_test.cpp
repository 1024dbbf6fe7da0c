#include "grasp/sweep/trials/placed_trials.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/lock_piece.hpp"

using namespace graspmap;

TEST_CASE("trials with given parameters come out as in the sweep, for any number of threads") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  std::vector<TrialParameters> trials;
  std::vector<Outcome> expected;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t i = 0; i < 50; ++i) {
    const TrialRow row = run_trial(config, i, workspace, result);
    trials.push_back(row.parameters);
    expected.push_back(row.outcome);
  }
  CHECK(simulate_trials(config, trials, {.threads = 1}) == expected);
  CHECK(simulate_trials(config, trials, {.threads = 2}) == expected);
  CHECK(std::count(expected.begin(), expected.end(), Outcome::kSuccess) > 0);
}

TEST_CASE("a placement gets noise and friction as a trial of the sweep with its seed and index") {
  SweepConfig config = testing::small_lock_piece_sweep();
  config.placement.noise_x_mm = {.kind = DistributionKind::kNormal, .mean = 0.5, .sigma = 0.2};
  const SampledTrial sampled = sample_trial(config, 23);
  const TrialParameters same = sample_at(config, sampled.intended, config.seed, 23);
  CHECK(same.placement_x_mm == sampled.parameters.placement_x_mm);
  CHECK(same.placement_y_mm == sampled.parameters.placement_y_mm);
  CHECK(same.mu_jaw == sampled.parameters.mu_jaw);
  CHECK(same.mu_support == sampled.parameters.mu_support);
  const TrialParameters other = sample_at(config, sampled.intended, config.seed, 24);
  CHECK(other.mu_jaw != same.mu_jaw);
  CHECK(other.placement_x_mm != same.placement_x_mm);
}

TEST_CASE("trials with given uncertain numbers come out as in the sweep") {
  SweepConfig config = testing::small_lock_piece_sweep();
  for (const char* key : {"gripper.closing_force_n", "part.center_of_mass_mm.0"}) {
    const ScenarioNumber number = *ScenarioNumber::find(config.scenario, key);
    const double value = number.value(config.scenario);
    config.uncertain.push_back(
        {key, {.kind = DistributionKind::kUniform, .min = value - 8, .max = value + 8}, number});
  }
  std::vector<TrialParameters> trials;
  std::vector<double> uncertain;
  std::vector<Outcome> expected;
  Workspace workspace;
  SimulationResult result;
  for (std::int64_t i = 0; i < 50; ++i) {
    const SampledTrial trial = sample_trial(config, i);
    trials.push_back(trial.parameters);
    uncertain.insert(uncertain.end(), trial.uncertain.begin(), trial.uncertain.end());
    expected.push_back(run_trial(config, i, workspace, result).outcome);
  }
  CHECK(simulate_trials(config, trials, {}, uncertain) == expected);
  // They matter: the nominal numbers give other outcomes.
  CHECK(simulate_trials(config, trials) != expected);
}
