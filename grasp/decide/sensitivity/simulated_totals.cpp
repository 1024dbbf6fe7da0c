#include "grasp/decide/sensitivity/simulated_totals.hpp"

#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/trials/outcome_counts.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// Other random numbers than any sweep's by its seed.
constexpr std::uint64_t kTotalsSeed = 0x51a7e6c2049fd83b;
constexpr std::uint64_t kDrawnAnewSeed = 0x8f23d90b6c7e14a5;

/// Which inputs are drawn anew.
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

void draw_inputs(const RandomInputs& inputs, std::uint64_t index, const Anew& anew,
                 std::vector<double>& values) {
  values.clear();
  for (std::size_t k = 0; k < inputs.varying().size(); ++k) {
    const std::uint64_t seed = anew[k] ? kDrawnAnewSeed : kTotalsSeed;
    values.push_back(inputs.value(k, uniform_open(seed, index, static_cast<std::uint32_t>(k))));
  }
}

/// The outcomes of trials, of each in one set after the other.
std::vector<Outcome> simulate_all(const SweepConfig& config, const RandomInputs& inputs,
                                  const std::vector<Anew>& sets, const SetsEffort& effort) {
  return simulate_sets(
      sets.size(), effort,
      [&](std::size_t set, std::uint64_t index, Workspace& workspace, SimulationResult& result) {
        thread_local std::vector<double> values;
        thread_local TrialInputs trial;
        draw_inputs(inputs, index, sets[set], values);
        inputs.set_inputs(values, trial);
        return run_trial(config, trial.parameters, trial.uncertain, workspace, result).outcome;
      });
}

bool is_success(Outcome outcome) { return outcome == Outcome::kSuccess; }

/// p (1 - p) of all trials: those with an input drawn anew have the same law.
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
  std::int64_t pairs = 0;
  std::int64_t changed = 0;
  std::int64_t failed = 0;
  for (std::size_t k = 0; k < outcomes.size(); k += sets) {
    if (outcomes[k] == Outcome::kFailed || outcomes[k + set] == Outcome::kFailed) {
      ++failed;
      continue;
    }
    ++pairs;
    changed += is_success(outcomes[k]) != is_success(outcomes[k + set]) ? 1 : 0;
  }
  const double share = pairs > 0 ? static_cast<double>(changed) / static_cast<double>(pairs) : 0.0;
  return {share, wilson_interval_with_failed(changed, pairs, failed, z)};
}

}  // namespace

TotalEffects simulate_totals(const SweepConfig& config, const RandomInputs& inputs,
                             const SetsEffort& effort) {
  const std::vector<Anew> sets = all_sets(inputs);
  const std::vector<Outcome> outcomes = simulate_all(config, inputs, sets, effort);
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
