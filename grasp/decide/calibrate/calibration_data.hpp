#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/decide/calibrate/friction_law.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/statistics/success_emulator.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/trial_samples.hpp"

/// What a calibration compares: the experiment's counts and the stored trials in the same cells.

namespace graspmap {

/// A cell of an experiment, or the placement of single trials: a rectangle without extent.
struct CalibrationCell {
  ExperimentCell experiment;
  std::int64_t stored_trials = 0;  ///< without the failed ones
  std::int64_t stored_failed = 0;
  double theta_min_rad = 0.0;  ///< the part's angles in these trials
  double theta_max_rad = 0.0;
};

/// What is compared with what.
struct CalibrationData {
  std::vector<CalibrationCell> cells;
  std::vector<EmulatorTrial> trials;    ///< stored ones in these cells that did not fail
  std::array<FrictionRange, 2> ranges;  ///< jaw, support
  std::int64_t experiment_trials = 0;   ///< in these cells
  std::int64_t left_out = 0;            ///< trials of the experiment in other cells
};

/// The fewest stored trials in a cell of the experiment that is used.
inline constexpr std::int64_t kLeastStoredTrials = 10;

/// What a run covers of jaw and support friction: where their laws are sought.
std::array<FrictionRange, 2> friction_ranges(const SweepConfig& config);

/// Whether single trials lie on a lattice or at a few chosen places, so that they are not spread
/// over cells as stored trials are: by their places in the run's cells, which are uniform if the
/// placements are (Kolmogorov and Smirnov, p < 0.001).
bool are_on_lattice(const CellGrid& grid, const std::vector<ExperimentTrial>& trials);

/// The placements of an experiment as they are: its cells, or the distinct placements of its single
/// trials, exactly; those of each session apart. Without an angle of their own, trials have the
/// angles of the run's cell `slice`.
std::vector<CalibrationCell> exact_cells(const CellGrid& grid, const Experiment& experiment,
                                         int slice);

/// Puts stored trials, by their intended placement, into the cells of the experiment; single trials
/// of the experiment are first counted in the run's cells. `slice` is the cell of angles of the
/// run.
CalibrationData calibration_data(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                 const Experiment& experiment, int slice);

}  // namespace graspmap
