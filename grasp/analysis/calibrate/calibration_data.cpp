#include "grasp/analysis/calibrate/calibration_data.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/analysis/compare/shared_cells.hpp"

namespace graspmap {
namespace {

FrictionRange range_of(const char* key, const Distribution& law) {
  if (law.kind == DistributionKind::kFixed) return {key, law.mean, law.mean};
  if (std::isfinite(law.min) && std::isfinite(law.max)) return {key, law.min, law.max};
  // A normal without an upper bound covers little beyond its last few trials.
  constexpr double kTail = 1e-3;
  return {key, quantile(law, kTail), quantile(law, 1 - kTail)};
}

double scaled(const FrictionRange& range, double mu) {
  return range.is_fixed() ? 0.5 : (mu - range.low) / (range.high - range.low);
}

bool holds(const ExperimentCell& cell, const IntendedPlacement& at) {
  return at.x_mm >= cell.x_min_mm && at.x_mm < cell.x_max_mm && at.y_mm >= cell.y_min_mm &&
         at.y_mm < cell.y_max_mm;
}

/// The cell that holds a placement, or the number of cells. Neighbours in the list are likely.
std::size_t find_cell(const std::vector<CalibrationCell>& cells, const IntendedPlacement& at) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const CalibrationCell& cell) {
    return holds(cell.experiment, at);
  });
  return static_cast<std::size_t>(found - cells.begin());
}

/// Leaves out the cells with too few stored trials; the trials of the others are numbered anew.
void drop_unknown_cells(CalibrationData& data) {
  std::vector<std::size_t> place(data.cells.size(), data.cells.size());
  std::vector<CalibrationCell> kept;
  for (std::size_t k = 0; k < data.cells.size(); ++k) {
    if (data.cells[k].stored_trials < kLeastStoredTrials) {
      data.left_out += data.cells[k].experiment.trials;
      continue;
    }
    place[k] = kept.size();
    kept.push_back(data.cells[k]);
  }
  std::erase_if(data.trials,
                [&](const EmulatorTrial& t) { return place[t.site] == data.cells.size(); });
  for (EmulatorTrial& trial : data.trials) trial.site = place[trial.site];
  data.cells = std::move(kept);
}

}  // namespace

CalibrationData calibration_data(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                 const Experiment& experiment, int slice) {
  CalibrationData data;
  data.ranges = {range_of("friction.jaw", config.mu_jaw),
                 range_of("friction.support", config.mu_support)};
  const std::vector<ExperimentCell> cells =
      experiment.cells.empty()
          ? counted_in(config.placement, experiment.single_trials, data.left_out)
          : pooled_cells(experiment);
  for (const ExperimentCell& cell : cells) {
    if (cell.trials > 0) data.cells.push_back({cell});
  }
  const auto in_slice = static_cast<std::size_t>(config.placement.x_mm.cells) *
                        static_cast<std::size_t>(config.placement.y_mm.cells);
  for (const TrialSample& sample : samples) {
    if (static_cast<int>(sample.cell / in_slice) != slice) continue;
    const std::size_t site = find_cell(data.cells, sample.intended);
    if (site == data.cells.size()) continue;
    if (sample.outcome == Outcome::kFailed) {
      ++data.cells[site].stored_failed;
      continue;
    }
    ++data.cells[site].stored_trials;
    data.trials.push_back({site, scaled(data.ranges[0], sample.parameters.mu_jaw),
                           scaled(data.ranges[1], sample.parameters.mu_support),
                           sample.outcome == Outcome::kSuccess});
  }
  drop_unknown_cells(data);
  for (const CalibrationCell& cell : data.cells) data.experiment_trials += cell.experiment.trials;
  return data;
}

}  // namespace graspmap
