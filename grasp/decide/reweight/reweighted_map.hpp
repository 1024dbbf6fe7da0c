#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// Why trials drawn from `stored` cannot stand for `wanted`, with what is covered; empty when they
/// can: when every set of values that has probability under `wanted` has some under `stored`.
std::string uncovered_text(const Distribution& stored, const Distribution& wanted);

/// dP_wanted/dP_stored at x, a value that `stored` can give: the ratio of the atoms at x or, where
/// `stored` has none, of the densities. `stored` must cover `wanted`.
double probability_ratio(const Distribution& stored, const Distribution& wanted, double x);

/// A random input whose distribution changes.
struct ChangedInput {
  std::string key;  ///< "friction.jaw", "placement.noise.x_mm", "part.mass_kg"
  Distribution stored;
  Distribution wanted;
};

/// From the distributions of a run to others: what a trial that was drawn from the first counts
/// under the second.
class InputChange {
 public:
  /// The inputs whose distributions differ are changed: friction, noise, uncertain numbers.
  /// `overrides`
  /// (--set) are named in errors, with the command that simulates them. Throws ConfigError when the
  /// stored distributions do not cover the wanted ones, and when an input is correlated with
  /// others.
  InputChange(const SweepConfig& stored, const SweepConfig& wanted,
              const std::vector<std::string>& overrides, const std::string& new_run);

  [[nodiscard]] const std::vector<ChangedInput>& changed() const { return changed_; }

  /// The product of the probability ratios of what was drawn for a stored trial; its mean over all
  /// trials that the stored distributions can give is 1.
  [[nodiscard]] double weight(const TrialRow& row) const;

 private:
  const SweepConfig& stored_;
  std::vector<ChangedInput> changed_;
  std::vector<std::size_t> places_;  ///< of each among the random inputs of the run
};

/// The configuration of a run with other distributions: its text with --set applied. An uncertain
/// number is named as it is, "part.mass_kg", or behind "uncertain.". Throws ConfigError for
/// anything that is no key of a random input.
SweepConfig with_other_distributions(const std::string& config_toml,
                                     const std::vector<std::string>& overrides);

/// The fewest effective trials from which a number is made of a cell, and the fewest of the median
/// cell from which a map is made: ten, but in an adaptive run a quarter of its first round if that
/// is less. It left cells at that round because their outcome is sure.
double least_effective_trials(const SweepConfig& config);

/// The weighted trials of a cell.
struct WeightedCell {
  double least_trials = 10.0;  ///< from which it has a number: least_effective_trials
  double weight = 0.0;         ///< sum over the trials that did not fail
  double squares = 0.0;        ///< of these weights
  double failed_squares = 0.0;
  std::array<double, kOutcomeCount> by_outcome{};  ///< sums of weights

  void add(Outcome outcome, double weight_of_trial);
  [[nodiscard]] double of(Outcome outcome) const {
    return by_outcome[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] double all() const { return weight + of(Outcome::kFailed); }
  /// A stratum of this weight with as many trials as the weighted ones are worth, by
  /// (sum w)^2 / sum w^2 of all, the failed ones among them. all() must be > 0.
  [[nodiscard]] Stratum stratum(double weight_of_stratum) const;

  /// The effective number of trials that did not fail, (sum w)^2 / sum w^2.
  [[nodiscard]] double effective_trials() const;
  [[nodiscard]] bool is_unknown() const { return effective_trials() < least_trials; }
  /// The self-normalised mean sum w s / sum w; NaN when it is unknown.
  [[nodiscard]] double success_probability() const;
  /// Wilson's interval of the effective number of trials, in which failed trials count once as
  /// success and once as no success; [0, 1] when it is unknown.
  [[nodiscard]] Interval success_interval(double z = kZ95) const;
};

/// The map of a run as its trials were drawn, and as they would be under other distributions.
struct ReweightedMap {
  SuccessMap stored;                ///< counts
  std::vector<WeightedCell> cells;  ///< in the order of stored.cells
  double effective_trials = 0.0;    ///< of all trials together
  double pareto_shape = 0.0;        ///< k-hat of their weights

  /// Effective ones of a cell with a number.
  [[nodiscard]] double least_trials() const { return cells.front().least_trials; }
  [[nodiscard]] double median_effective_trials() const;
  /// The success probability over the whole map, all cells alike: the mean of those that are known.
  [[nodiscard]] double mean_probability() const;
  /// Its interval at normal quantile z: stratified_probability, a stratum for each known cell with
  /// as many trials as its weighted ones are worth.
  [[nodiscard]] Interval mean_interval(double z) const;
  /// The weighted probabilities as counts of a billion trials in each cell that is known, for
  /// find_sweet_spot and find_plateau, which count.
  [[nodiscard]] SuccessMap as_counts() const;
};

/// Weighs all stored trials. Throws ConfigError for a damaged store.
ReweightedMap reweight_trials(const RunStore& store, const InputChange& change);

/// The weakest cell of a sweet spot's square with its own interval: of the cells in it those of the
/// lowest probability, the one whose interval reaches lowest. `map` is as_counts().
Interval weakest_interval(const ReweightedMap& reweighted, const SuccessMap& map,
                          const SweetSpot& spot, double z);

/// A run before and after a change of its distributions.
struct Reweighting {
  std::string title;  ///< of the run
  const SweepConfig& stored;
  SweepConfig wanted;
  std::vector<ChangedInput> changed;
  ReweightedMap map;
  double confidence = 0.95;
};

/// Where to grasp under the wanted distributions, and what the stored trials are worth for them.
std::string reweight_text(const Reweighting& reweighting);

Object reweight_fields(const Reweighting& reweighting);

/// A row per cell, x fastest: the counts that are stored, and the probability, interval and
/// effective trials under the wanted distributions.
Table reweighted_map_table(const Reweighting& reweighting);

/// Before, after, the difference, and the effective trials.
Figure reweight_figure(const Reweighting& reweighting);

/// The map of a run under other distributions: what `graspmap reweight` and Run.reweight are asked.
struct ReweightRequest {
  std::vector<std::string> set;  ///< "friction.jaw.max=0.2"
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run, which must live as long as what is found. Throws RequestError when
/// its trials say too little; ConfigError.
Reweighting reweight_run(const RunStore& run, const ReweightRequest& request);

}  // namespace graspmap
