#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/progress.hpp"

namespace graspmap {

/// How the run's model is asked for the success at the experiment's placements.
struct PredictionOptions {
  bool simulate = true;  ///< there; else the stored trials of the cells are taken
  std::optional<std::int64_t> trials = {};  ///< to simulate, about; else prediction_budget
  int threads = 0;                          ///< 0: as many as the machine has
  ShowTrials show = {};
};

/// What a run predicts for the trials of an experiment.
struct ExperimentPrediction {
  bool simulated = false;             ///< at the experiment's own placements
  std::int64_t placements = 0;        ///< different ones, or cells
  std::int64_t simulated_trials = 0;  ///< for this
  std::int64_t failed = 0;            ///< of them, at the placements
  std::int64_t trials_without = 0;    ///< of the experiment: all simulated trials there failed
  std::vector<PredictedSite> sites;   ///< group: the number of the shared cell
  std::vector<Place> places;          ///< by PredictedSite::place
  std::optional<SessionDraws> draws;  ///< with sessions
  std::array<double, kChangeCount> steps = {};
};

/// Single trials: simulated at their exact placement (and angle, where the experiment tells it,
/// else uniform in the run's cell of angles). Cells: the stored trials where they are cells of the
/// run, else simulated, uniform in the cell. Sessions are simulated always. Without simulation the
/// stored trials of the cell are taken for all placements in it, and changes are known for shifts
/// only, from the neighbouring cells; sessions are not told apart. `slice` is the run's cell of
/// angles.
ExperimentPrediction predict_experiment(const RunStore& run, const Experiment& experiment,
                                        const SharedCells& shared, int slice,
                                        const PredictionOptions& options);

/// Puts what was simulated at the experiment's placements in place of the run's trials in the
/// shared cells: the mean over the experiment's trials in the cell, with z the normal quantile of
/// its interval.
void use_simulated(SharedCells& shared, ExperimentPrediction& prediction, double z);

}  // namespace graspmap
