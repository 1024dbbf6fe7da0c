#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "tests/support/source_dir.hpp"

/// Sobol indices from the trials of a sweep against direct simulations (pick-freeze), with eight
/// inputs or more. Hidden: grasp_tests "[sobol_study]" takes some minutes;
/// docs/explanation/statistics.md has its results.

namespace graspmap::testing {
namespace {

constexpr std::int64_t kPoints = 20'000;  // of each input
constexpr std::uint64_t kFirstSeed = 71;
constexpr std::uint64_t kSecondSeed = 72;

struct NamedDistribution {
  const char* key;
  Distribution distribution;
};

Distribution normal(double mean, double sigma) { return Normal{mean, sigma}; }

Distribution uniform(double min, double max) { return Uniform{min, max}; }

SweepConfig uncertain_config(const std::string& name,
                             const std::vector<NamedDistribution>& distributions,
                             int trials_per_cell) {
  SweepConfig config =
      read_sweep_config(fmt::format("{}/configs/{}.toml", testing::source_dir(), name),
                        {fmt::format("sweep.trials_per_cell={}", trials_per_cell),
                         "simulation.step_s=0.008", "simulation.tolerance_mm=0.005"});
  for (const NamedDistribution& named : distributions) {
    config.uncertain.push_back(
        {named.key, named.distribution, *ScenarioNumber::find(config.scenario, named.key)});
  }
  return config;
}

std::vector<TrialSample> run_sweep(const SweepConfig& config) {
  std::vector<TrialSample> samples(static_cast<std::size_t>(config.trials()));
  const std::size_t cells = static_cast<std::size_t>(config.placement.cell_count());
  run_trials(
      config.trials(), {}, [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
        const SampledTrial trial = sample_trial(config, index);
        const TrialRow row =
            run_trial(config, trial.parameters, trial.uncertain, workspace, result);
        const auto k = static_cast<std::size_t>(index);
        samples[k] = {k % cells, row.outcome, trial.intended, trial.parameters, trial.uncertain};
        return row.outcome;
      });
  return samples;
}

/// Success, 1 or 0, at points whose inputs come from one seed, except one input from another.
std::vector<double> simulate(const SweepConfig& config, const RandomInputs& inputs,
                             std::uint64_t seed, std::size_t other_input,
                             std::uint64_t other_seed) {
  std::vector<double> success(static_cast<std::size_t>(kPoints));
  run_trials(kPoints, {}, [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
    std::vector<double> values;
    for (std::size_t k = 0; k < inputs.varying().size(); ++k) {
      const double u =
          uniform_open(k == other_input ? other_seed : seed, static_cast<std::uint64_t>(index),
                       static_cast<std::uint32_t>(k));
      values.push_back(inputs.value(k, u));
    }
    TrialInputs trial;
    inputs.set_inputs(values, trial);
    const TrialRow row = run_trial(config, trial.parameters, trial.uncertain, workspace, result);
    success[static_cast<std::size_t>(index)] = row.outcome == Outcome::kSuccess ? 1.0 : 0.0;
    return row.outcome;
  });
  return success;
}

/// A mean and its standard error.
struct Mean {
  double value = 0.0;
  double error = 0.0;
};

template <typename Term>
Mean mean_of(const Term& term) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(kPoints); ++k) {
    const double x = term(k);
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(kPoints);
  return {sum / n, std::sqrt((squares / n - sum / n * sum / n) / n)};
}

struct PickFreeze {
  Mean first;
  Mean total;
};

/// Jansen 1999 for the total effect; for the first-order effect Jansen's or Saltelli's (2010)
/// estimate, that of the smaller standard error.
PickFreeze pick_freeze(const SweepConfig& config, const RandomInputs& inputs, std::size_t input,
                       const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> ab = simulate(config, inputs, kFirstSeed, input, kSecondSeed);
  double p = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) p += (a[k] + b[k]) / 2;
  p /= static_cast<double>(a.size());
  const double v = p * (1 - p);
  const auto half_square = [](double x, double y) { return (x - y) * (x - y) / 2; };
  const Mean total = mean_of([&](std::size_t k) { return half_square(a[k], ab[k]) / v; });
  const Mean jansen = mean_of([&](std::size_t k) { return 1 - half_square(b[k], ab[k]) / v; });
  const Mean saltelli = mean_of([&](std::size_t k) { return b[k] * (ab[k] - a[k]) / v; });
  return {jansen.error < saltelli.error ? jansen : saltelli, total};
}

/// `most_difference`: of totals that the emulator tells. Those that are simulated have other random
/// numbers than the direct simulations here.
void compare(const SweepConfig& config, double most_difference = 0.02) {
  const Sensitivity result = analyse_sensitivity(config, run_sweep(config), {}, 0.95);
  REQUIRE(result.whole.state == SensitivityState::kKnown);
  const RandomInputs& inputs = result.inputs;
  REQUIRE(inputs.varying().size() >= 8);
  const std::size_t none = inputs.varying().size();
  const std::vector<double> a = simulate(config, inputs, kFirstSeed, none, 0);
  const std::vector<double> b = simulate(config, inputs, kSecondSeed, none, 0);
  std::cout << fmt::format("{}: {} trials, success {:.1f} %, predictivity {:.3f}\n", config.name,
                           result.trials, 100 * result.whole.success_probability,
                           result.whole.predictivity);
  const std::vector<Estimate> totals = simulate_totals(config, inputs, {.trials = 10'000}).inputs;
  REQUIRE(totals.size() == none);
  for (std::size_t k = 0; k < none; ++k) {
    const PickFreeze direct = pick_freeze(config, inputs, k, a, b);
    const InputEffect& effect = result.whole.inputs[k];
    std::cout << fmt::format("  total by simulate_totals {:5.1f} ({:.1f} to {:.1f})\n",
                             100 * totals[k].value, 100 * totals[k].interval.low,
                             100 * totals[k].interval.high);
    std::cout << fmt::format(
        "  {:40} first {:5.1f} ({:.1f} to {:.1f}), simulated {:5.1f} ({:.1f});  total {:5.1f} "
        "({:.1f} to {:.1f}), simulated {:5.1f} ({:.1f})\n",
        inputs.varying()[k].key, 100 * effect.first.value, 100 * effect.first.interval.low,
        100 * effect.first.interval.high, 100 * direct.first.value, 100 * direct.first.error,
        100 * effect.total.value, 100 * effect.total.interval.low, 100 * effect.total.interval.high,
        100 * direct.total.value, 100 * direct.total.error);
    CAPTURE(config.name, inputs.varying()[k].key);
    CHECK(std::abs(effect.first.value - direct.first.value) < 0.02);
    CHECK(std::abs(effect.total.value - direct.total.value) < most_difference);
    CHECK(std::abs(totals[k].value - direct.total.value) < 0.02);
  }
  REQUIRE(result.groups);
  double sum = result.groups->together.value;
  for (const GroupEffect& group : result.groups->groups) {
    sum += group.effect.first.value;
    std::cout << fmt::format("  {}: {:.1f}, {:.1f}\n", name(group.group),
                             100 * group.effect.first.value, 100 * group.effect.total.value);
  }
  std::cout << fmt::format("  together: {:.1f}; sum {:.4f}\n", 100 * result.groups->together.value,
                           sum)
            << std::flush;
  CHECK(sum == Approx(1));
}

}  // namespace

TEST_CASE("indices of the lock piece are those of direct simulations", "[.long][sobol_study]") {
  compare(uncertain_config("lock_piece",
                           {{"gripper.closing_force_n", uniform(5, 15)},
                            {"part.center_of_mass_mm.0", normal(0, 1)},
                            {"part.piece.tooth_1.semi_axes_mm.0", uniform(1.5, 3.1)},
                            {"support.e_r_mm", uniform(9, 18)}},
                           160));
}

TEST_CASE("indices of the bolt are those of direct simulations", "[.long][sobol_study]") {
  compare(uncertain_config(
      "bolt",
      {{"gripper.closing_force_n", uniform(15, 25)}, {"part.piece.head.center_mm.1", normal(4, 1)}},
      250));
}

// The emulator is less exact here (predictivity 0.92): its totals of inputs that matter little are
// up to 3.1 points too high. Those that are simulated are not.
TEST_CASE("indices of a shaft between V fingers are those of direct simulations",
          "[.long][sobol_study]") {
  compare(uncertain_config("v_fingers",
                           {{"gripper.closing_force_n", uniform(15, 25)},
                            {"part.piece.shaft.center_mm.1", normal(0, 0.3)},
                            {"part.piece.shaft.semi_axes_mm.0", uniform(11.5, 12.5)},
                            {"part.piece.shaft.semi_axes_mm.1", uniform(11.5, 12.5)}},
                           250),
          0.035);
}

}  // namespace graspmap::testing
