#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grasp/sweep/adaptive/sweet_spot_forecast.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Whether an adaptive run goes on, or why not.
enum class AdaptiveState {
  kGoesOn,
  kGoalReached,
  kBudgetSpent,
  kAllRun  ///< all trials in all cells: the run is the complete run
};

/// More trials for a cell: those that follow the ones it has.
struct CellBatch {
  std::size_t cell = 0;
  int trials = 0;

  friend bool operator==(const CellBatch&, const CellBatch&) = default;
};

/// What the rule makes of the trials after a round.
struct AdaptiveDecision {
  AdaptiveState state = AdaptiveState::kGoesOn;
  SweetSpotForecast forecast;
  bool sweet_spot_known = false;
  /// Cells of which it is not known on which side of the plateau's edge they lie, and of these the
  /// ones whose interval is wider than asked for.
  std::int64_t edge_cells = 0;
  std::int64_t wide_cells = 0;
  std::vector<CellBatch> batches;  ///< the next round, most urgent first; none when it is over
};

/// Decides what an adaptive run does after a round, from nothing but the configuration and the
/// trials of the rounds so far: all cells have sweep.adaptive.first_trials or more.
///
/// The sweet spot is known when its forecast has the confidence asked for. A cell is on the edge
/// while neither p >= plateau_probability nor p < plateau_probability is believed with that
/// confidence. The goal is reached when the sweet spot is known, or no cell on the edge has a
/// Wilson interval wider than interval_width, or either, or both.
///
/// The next round goes to the cells with most influence on where the sweet spot will be, and to the
/// cells on the edge with the widest intervals; half of it to each where both are asked for and
/// neither is done. A cell gets half as many trials as it has, at least first_trials: so it is
/// looked at a few times only. Cells inside and outside get none. A round has about round_trials;
/// the last one ends with the budget, and is the beginning of what it would be with a larger one.
AdaptiveDecision decide(const SweepConfig& config, const SuccessMap& map);

}  // namespace graspmap
