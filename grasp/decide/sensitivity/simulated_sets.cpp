#include "grasp/decide/sensitivity/simulated_sets.hpp"

#include <array>
#include <functional>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/even_points.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// Simulates one trial of a set, with the random numbers of `index`.
using TrialOfSet = std::function<Outcome(std::size_t set, std::uint64_t index, Workspace& workspace,
                                         SimulationResult& result)>;

/// The outcomes of trials 0, 1, ... of `sets` sets that take turns: that of trial k in set s is at
/// k * sets + s. Throws AnalysisStopped when the thread's stop flag ends it early.
std::vector<Outcome> simulate_sets(std::size_t sets, const SetsEffort& effort,
                                   const TrialOfSet& trial) {
  // Trials are points of Sobol sequences, which have 2^32.
  GRASPMAP_CHECK(sets > 0 && effort.trials > 0 && effort.trials >> 32 == 0);
  const std::int64_t count = effort.trials * static_cast<std::int64_t>(sets);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(count), Outcome::kFailed);
  TrialCounters counters;
  const auto progress = shown(effort.show, counters, count);
  run_trials(count, {effort.threads, stop_flag(), &counters},
             [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
               const auto k = static_cast<std::size_t>(index);
               outcomes[k] = trial(k % sets, k / sets, workspace, result);
               return outcomes[k];
             });
  check_stop();
  return outcomes;
}

/// Other random numbers than any sweep's by its seed.
constexpr std::uint64_t kHalvingSeed = 0x3d7c09a5e1b84f26;

/// The distributions that trials are drawn from.
struct TrialDistributions {
  SweepConfig config;
  std::array<Distribution, 3> placement;  ///< x, y, theta: the configuration's are those of cells
};

/// The distribution of an input by its key; null for another key.
Distribution* distribution_of(TrialDistributions& distributions, const std::string& key) {
  PlacementSweep& noise = distributions.config.placement;
  if (key == "x_mm") return &distributions.placement[0];
  if (key == "y_mm") return &distributions.placement[1];
  if (key == "theta_rad") return &distributions.placement[2];
  if (key == "noise_x_mm") return &noise.noise_x_mm;
  if (key == "noise_y_mm") return &noise.noise_y_mm;
  if (key == "noise_theta_rad") return &noise.noise_theta_rad;
  if (key == "mu_jaw") return &distributions.config.mu_jaw;
  if (key == "mu_support") return &distributions.config.mu_support;
  for (UncertainNumber& number : distributions.config.uncertain) {
    if (number.key == key) return &number.distribution;
  }
  return nullptr;
}

/// The distributions as they are, then with each input's half as wide.
std::vector<TrialDistributions> all_distributions(const SweepConfig& config,
                                                  const RandomInputs& inputs) {
  std::vector<TrialDistributions> all = {{config, {}}};
  for (const auto* list : {&inputs.varying(), &inputs.fixed()}) {
    for (const RandomInput& input : *list)
      *distribution_of(all.front(), input.key) = input.distribution;
  }
  for (const RandomInput& input : inputs.varying()) {
    all.push_back(all.front());
    *distribution_of(all.back(), input.key) = input.distribution.widened(0.5);
  }
  return all;
}

Outcome simulate_one(const TrialDistributions& distributions, std::uint64_t index,
                     Workspace& workspace, SimulationResult& result) {
  const SampledTrial trial = sample_evenly(distributions.config, distributions.placement,
                                           kHalvingSeed, static_cast<std::uint32_t>(index));
  return run_trial(distributions.config, trial.parameters, trial.uncertain, workspace, result)
      .outcome;
}

/// The outcomes of one set of distributions among those of `sets` sets that take turns.
class SetOutcomes {
 public:
  SetOutcomes(const std::vector<Outcome>& all, std::size_t sets) : all_(all), sets_(sets) {}

  [[nodiscard]] std::size_t trials() const { return all_.size() / sets_; }
  [[nodiscard]] Outcome at(std::size_t set, std::size_t trial) const {
    return all_[trial * sets_ + set];
  }

  [[nodiscard]] SimulatedSuccess success(std::size_t set, double z) const {
    SampleCounts counts;
    for (std::size_t k = 0; k < trials(); ++k) count_outcome(at(set, k), counts);
    return {counts, counts.interval(z)};
  }

  /// What is gained from the first set to another.
  [[nodiscard]] Estimate gain(std::size_t set, double z) const {
    PairedStratum pairs{1.0, {}};
    for (std::size_t k = 0; k < trials(); ++k)
      pairs.pairs.add(pair_side(at(set, k)), pair_side(at(0, k)));
    return paired_difference(std::span(&pairs, 1), z);
  }

 private:
  const std::vector<Outcome>& all_;
  std::size_t sets_;
};

}  // namespace

HalvedInputs simulate_halved_inputs(const SweepConfig& config, const RandomInputs& inputs,
                                    const SetsEffort& effort) {
  const std::vector<TrialDistributions> distributions = all_distributions(config, inputs);
  const std::vector<Outcome> outcomes = simulate_sets(
      distributions.size(), effort,
      [&](std::size_t set, std::uint64_t index, Workspace& workspace, SimulationResult& result) {
        return simulate_one(distributions[set], index, workspace, result);
      });
  const SetOutcomes sets(outcomes, distributions.size());
  const double z = two_sided_z(effort.confidence);
  HalvedInputs halved;
  halved.trials = effort.trials;
  halved.as_it_is = sets.success(0, z);
  for (std::size_t set = 1; set < distributions.size(); ++set) {
    halved.inputs.push_back({sets.success(set, z), sets.gain(set, z)});
  }
  return halved;
}

namespace {

/// Other random numbers than any sweep's by its seed.
constexpr std::uint64_t kTotalsSeed = 0x51a7e6c2049fd83b;

/// Which inputs are redrawn.
using Anew = std::vector<bool>;

/// None, then each input, then each group.
std::vector<Anew> all_sets(const RandomInputs& inputs) {
  const std::vector<RandomInput>& varying = inputs.varying();
  std::vector<Anew> sets = {Anew(varying.size(), false)};
  for (std::size_t k = 0; k < varying.size(); ++k) {
    sets.push_back(sets.front());
    sets.back()[k] = true;
  }
  for (const InputGroup group : inputs.groups()) {
    sets.push_back(sets.front());
    for (std::size_t k = 0; k < varying.size(); ++k) sets.back()[k] = varying[k].group == group;
  }
  return sets;
}

bool is_success(Outcome outcome) { return outcome == Outcome::kSuccess; }

/// p (1 - p) of all trials: those with an input redrawn have the same distribution.
double variance_of(const std::vector<Outcome>& outcomes) {
  SampleCounts counts;
  for (const Outcome outcome : outcomes) count_outcome(outcome, counts);
  if (counts.trials == 0) return 0.0;
  const double p = counts.probability();
  return p * (1.0 - p);
}

/// How often a trial ends otherwise in set `set`.
Estimate changed_share(const std::vector<Outcome>& outcomes, std::size_t sets, std::size_t set,
                       double z) {
  SampleCounts changed;
  for (std::size_t k = 0; k < outcomes.size(); k += sets) {
    if (outcomes[k] == Outcome::kFailed || outcomes[k + set] == Outcome::kFailed) {
      ++changed.failed;
      continue;
    }
    ++changed.trials;
    changed.successes += is_success(outcomes[k]) != is_success(outcomes[k + set]) ? 1 : 0;
  }
  return {changed.share(), changed.interval(z)};
}

}  // namespace

TotalEffects simulate_totals(const SweepConfig& config, const RandomInputs& inputs,
                             const SetsEffort& effort) {
  const std::vector<Anew> sets = all_sets(inputs);
  const std::vector<Outcome> outcomes = simulate_sets(
      sets.size(), effort,
      [&](std::size_t set, std::uint64_t index, Workspace& workspace, SimulationResult& result) {
        thread_local std::vector<double> values;
        thread_local TrialInputs trial;
        values.clear();
        for (std::size_t k = 0; k < inputs.varying().size(); ++k) {
          const std::size_t coordinate = sets[set][k] ? inputs.varying().size() + k : k;
          const double u = even_level(kTotalsSeed, static_cast<std::uint32_t>(index),
                                      static_cast<std::uint32_t>(coordinate));
          values.push_back(inputs.value(k, u));
        }
        inputs.set_inputs(values, trial);
        return run_trial(config, trial.parameters, trial.uncertain, workspace, result).outcome;
      });
  const double variance = variance_of(outcomes);
  TotalEffects totals;
  if (!(variance > 0.0)) return totals;
  for (std::size_t set = 1; set < sets.size(); ++set) {
    const Estimate changed =
        changed_share(outcomes, sets.size(), set, two_sided_z(effort.confidence));
    const auto effect = [&](double share) { return share / (2.0 * variance); };
    std::vector<Estimate>& list = set <= inputs.varying().size() ? totals.inputs : totals.groups;
    list.push_back(
        {effect(changed.value), {effect(changed.interval.low), effect(changed.interval.high)}});
  }
  return totals;
}

}  // namespace graspmap
