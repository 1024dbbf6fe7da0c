#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/analysis/compare/experiment.hpp"
#include "grasp/config/sweep_config.hpp"
#include "grasp/statistics/success_emulator.hpp"
#include "grasp/store/trial_samples.hpp"

/// What a calibration compares: the experiment's counts and the stored trials in the same cells.

namespace graspmap {

/// What a run covers of a friction coefficient: where its law is sought.
struct FrictionRange {
  std::string key;  ///< "friction.jaw"
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool is_fixed() const { return !(low < high); }
};

/// The cells of an experiment that the stored trials say something of.
struct CalibrationCell {
  ExperimentCell experiment;
  std::int64_t stored_trials = 0;  ///< without the failed ones
  std::int64_t stored_failed = 0;
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

/// Puts stored trials, by their intended placement, into the cells of the experiment; single trials
/// of the experiment are first counted in the run's cells. `slice` is the cell of angles of the
/// run.
CalibrationData calibration_data(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                 const Experiment& experiment, int slice);

}  // namespace graspmap
