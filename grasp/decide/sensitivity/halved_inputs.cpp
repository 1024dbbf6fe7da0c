#include "grasp/decide/sensitivity/halved_inputs.hpp"

#include <array>

#include "grasp/base/probability/paired_difference.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/statistics/narrowed_law.hpp"
#include "grasp/sweep/trials/outcome_counts.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

/// Other random numbers than any sweep's by its seed.
constexpr std::uint64_t kHalvingSeed = 0x3d7c09a5e1b84f26;
constexpr std::uint32_t kFirstPlacementDraw = 24;  // of x; y and theta follow

/// The laws that trials are drawn from.
struct TrialLaws {
  SweepConfig config;
  std::array<Distribution, 3> placement;  ///< x, y, theta: the configuration's are those of cells
};

/// The law of an input by its key; null when there is none.
Distribution* law_of(TrialLaws& laws, const std::string& key) {
  PlacementSweep& noise = laws.config.placement;
  if (key == "x_mm") return &laws.placement[0];
  if (key == "y_mm") return &laws.placement[1];
  if (key == "theta_rad") return &laws.placement[2];
  if (key == "noise_x_mm") return &noise.noise_x_mm;
  if (key == "noise_y_mm") return &noise.noise_y_mm;
  if (key == "noise_theta_rad") return &noise.noise_theta_rad;
  if (key == "mu_jaw") return &laws.config.mu_jaw;
  if (key == "mu_support") return &laws.config.mu_support;
  for (UncertainNumber& number : laws.config.uncertain) {
    if (number.key == key) return &number.law;
  }
  return nullptr;
}

TrialLaws laws_as_they_are(const SweepConfig& config, const RandomInputs& inputs) {
  TrialLaws laws{config, {}};
  for (const auto* list : {&inputs.varying(), &inputs.fixed()}) {
    for (const RandomInput& input : *list) *law_of(laws, input.key) = input.law;
  }
  return laws;
}

/// The laws as they are, then with each input's half as wide.
std::vector<TrialLaws> all_laws(const SweepConfig& config, const RandomInputs& inputs) {
  std::vector<TrialLaws> all = {laws_as_they_are(config, inputs)};
  for (const RandomInput& input : inputs.varying()) {
    all.push_back(all.front());
    *law_of(all.back(), input.key) = narrowed_law(input.law, 0.5);
  }
  return all;
}

Outcome simulate_one(const TrialLaws& laws, std::uint64_t index, Workspace& workspace,
                     SimulationResult& result) {
  const auto place = [&](std::uint32_t axis) {
    return quantile(laws.placement[axis],
                    uniform_open(kHalvingSeed, index, kFirstPlacementDraw + axis));
  };
  const TrialParameters parameters =
      sample_at(laws.config, {place(0), place(1), place(2)}, kHalvingSeed, index);
  const std::vector<double> uncertain = sample_uncertain(laws.config, kHalvingSeed, index);
  return run_trial(laws.config, parameters, uncertain, workspace, result).outcome;
}

/// The outcomes of one set of laws among those of `sets` sets that take turns.
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
    return {counts, wilson_interval_with_failed(counts.successes, counts.trials, counts.failed, z)};
  }

  /// What is gained from the first set to another.
  [[nodiscard]] Difference gain(std::size_t set, double z) const {
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
  const std::vector<TrialLaws> laws = all_laws(config, inputs);
  const std::vector<Outcome> outcomes = simulate_sets(
      laws.size(), effort,
      [&](std::size_t set, std::uint64_t index, Workspace& workspace, SimulationResult& result) {
        return simulate_one(laws[set], index, workspace, result);
      });
  const SetOutcomes sets(outcomes, laws.size());
  const double z = two_sided_z(effort.confidence);
  HalvedInputs halved;
  halved.trials = effort.trials;
  halved.as_it_is = sets.success(0, z);
  for (std::size_t set = 1; set < laws.size(); ++set) {
    halved.inputs.push_back({sets.success(set, z), sets.gain(set, z)});
  }
  return halved;
}

}  // namespace graspmap
