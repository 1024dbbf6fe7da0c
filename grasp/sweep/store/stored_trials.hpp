#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grasp/sweep/adaptive/rounds.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// What the trials of a run add up to. The order in which they are added does not matter. The size
/// does not grow with their number, except by a byte or two for each trial of an adaptive run.
class RunTotals {
 public:
  explicit RunTotals(const SweepConfig& config);

  void add(const TrialRow& row);
  /// The counts, with the design effects of all rows added so far. Not for two threads at once.
  [[nodiscard]] const SuccessMap& map() const;
  /// Whether these are all trials of a run of which `trials_asked` are asked for; of an adaptive
  /// run, whether its rule has stopped it.
  [[nodiscard]] bool is_complete(std::int64_t trials_asked) const;

  StepStatistics statistics;             ///< sums and worst values over all trials
  std::optional<AdaptiveRounds> rounds;  ///< of an adaptive run: where it is
  std::vector<TrialRow> failed;  ///< the failed trials of lowest index, at most kMostFailedListed
  double most_work = 0.0;        ///< of a trial
  std::int64_t failed_too_long = 0;  ///< failed trials that needed more work than that

 private:
  mutable SuccessMap map_;
  bool has_nets_ = false;              ///< the trials have Sobol points
  mutable bool effects_known_ = true;  ///< the design effects are those of all rows
};

inline constexpr std::size_t kMostFailedListed = 5;

/// What the stored trials add up to: one pass over the store.
RunTotals read_totals(const RunStore& store);

/// Trials of a store that are worth a look. All functions go through the store block by block:
/// their memory does not grow with the number of trials. Errors are those of RunStore.

/// What a trial must be like; all trials are when nothing is asked.
struct TrialFilter {
  std::optional<CellIndex> cell;  ///< the intended one, before noise
  std::optional<Outcome> outcome;
  bool any_angle = false;  ///< the cell's angle does not count
};

/// The stored trial of lowest index that passes; nothing when none does.
std::optional<TrialRow> first_trial(const RunStore& store, const TrialFilter& filter);

/// How many of the stored trials that pass ended how.
CellCounts count_outcomes(const RunStore& store, const TrialFilter& filter);

/// The `count` stored trials with the largest residuals, the worst first, or all when there are
/// fewer. Equal ones are in the order of their index; NaN is worse than any number.
std::vector<TrialRow> worst_trials(const RunStore& store, std::size_t count);

/// A trial of a run as a person asks for it: by its index, or else the first trial of a cell, of an
/// outcome, or of both.
struct TrialChoice {
  std::optional<std::int64_t> index;
  std::optional<Vec2> placement_mm;  ///< in the cell that holds it
  std::optional<Outcome> outcome;
  std::optional<double> theta_rad = {};  ///< of the cell; without it, at any angle
};

/// The row of that trial. Throws ConfigError when no trial is like that, saying what is stored;
/// else as RunStore.
TrialRow chosen_trial(const RunStore& store, const TrialChoice& choice);

/// What the statistics of a run need of a trial.
struct TrialSample {
  std::size_t cell = 0;  ///< its place in SuccessMap::cells
  Outcome outcome = Outcome::kFailed;
  IntendedPlacement intended;
  TrialParameters parameters;          ///< with the noise
  std::vector<double> uncertain = {};  ///< the values of config.uncertain
};

/// False when each trial ran at the placement that was intended.
bool has_placement_noise(const PlacementSweep& placement);

/// Calls `visit` with the sample of every stored trial in the order of the index; keeps none in
/// memory.
void for_each_trial_sample(const RunStore& store,
                           const std::function<void(const TrialSample&)>& visit);

/// The samples of all stored trials, in the order of the index: 104 bytes each, and 8 for each
/// uncertain number.
std::vector<TrialSample> read_trial_samples(const RunStore& store);

}  // namespace graspmap
