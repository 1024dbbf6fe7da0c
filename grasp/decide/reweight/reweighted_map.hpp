#pragma once

#include <cstdint>
#include <vector>

#include "grasp/base/probability/interval.hpp"
#include "grasp/decide/reweight/law_change.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// The fewest effective trials from which a number is made of a cell, and the fewest of the median
/// cell from which a map is made.
inline constexpr double kLeastEffectiveTrials = 10.0;

/// The weighted trials of a cell.
struct WeightedCell {
  double weight = 0.0;   ///< sum over the trials that did not fail
  double squares = 0.0;  ///< of these weights
  double success_weight = 0.0;
  double failed_weight = 0.0;
  double failed_squares = 0.0;

  void add(Outcome outcome, double weight_of_trial);

  /// The effective number of trials that did not fail, (sum w)^2 / sum w^2.
  [[nodiscard]] double effective_trials() const;
  /// Fewer effective trials than kLeastEffectiveTrials.
  [[nodiscard]] bool is_unknown() const { return effective_trials() < kLeastEffectiveTrials; }
  /// The self-normalised mean sum w s / sum w; NaN when it is unknown.
  [[nodiscard]] double success_probability() const;
  /// Wilson's interval of the effective number of trials, in which failed trials count once as
  /// success and once as no success; [0, 1] when it is unknown.
  [[nodiscard]] Interval success_interval(double z = kZ95) const;
};

/// The map of a run as its trials were drawn, and as they would be under other laws.
struct ReweightedMap {
  SuccessMap stored;                ///< counts
  std::vector<WeightedCell> cells;  ///< in the order of stored.cells
  double effective_trials = 0.0;    ///< of all trials together
  double pareto_shape = 0.0;        ///< k-hat of their weights

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
ReweightedMap reweight_trials(const RunStore& store, const LawChange& change);

/// The weakest cell of a sweet spot's square with its own interval: of the cells in it those of the
/// lowest probability, the one whose interval reaches lowest. `map` is as_counts().
Interval weakest_interval(const ReweightedMap& reweighted, const SuccessMap& map,
                          const SweetSpot& spot, double z);

}  // namespace graspmap
