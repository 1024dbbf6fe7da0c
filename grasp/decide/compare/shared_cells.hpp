#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// A cell of a grid, of any slice.
Rectangle rectangle_of(const CellGrid& grid, std::size_t cell);

/// A run's estimate for placements that are uniform in a rectangle.
struct RectangleProbability {
  std::optional<std::size_t> cell;  ///< the cell of the slice that the rectangle is
  double share_in_map = 0.0;        ///< of its area
  double known_share = 0.0;         ///< of its area: with trials
  Estimate probability;             ///< NaN without trials
  SampleCounts counts;              ///< the cell's, or effective ones
};

/// Whole trials of about the same precision as the trials of strata.
SampleCounts effective_counts(const std::vector<Stratum>& strata,
                              const StratifiedProbability& probability);

/// The probabilities of rectangles, in one pass over the run's trials.
///
/// A rectangle that is a cell of the run (to 1e-9 of its size) has the cell's counts and Wilson's
/// interval. Any other is stratified by the cells it overlaps (stratified_probability): weight =
/// area of overlap / area of the rectangle, trials = those of the cell whose intended placement
/// lies in the rectangle; what lies beyond the map is weight without trials. Its counts are the
/// effective trials, rounded, and as many failed trials and successes among them as the weighted
/// shares say. `slice` is the run's cell of angles, from 0; z the normal quantile of intervals.
std::vector<RectangleProbability> rectangle_probabilities(const RunStore& run,
                                                          const std::vector<Rectangle>& rectangles,
                                                          double z, int slice = 0);

/// Brings the trials of a run and of an experiment into the same cells.

/// A rectangle in which both have trials.
struct SharedCell {
  Rectangle bounds;
  std::size_t place = 0;     ///< its number in the grid; 0 without a grid
  SampleCounts run;          ///< RectangleProbability::counts
  Estimate run_probability;  ///< RectangleProbability::probability
  SampleCounts experiment;
};

/// Trials of the experiment that are not compared, and the cells that they are in.
struct LeftOut {
  std::int64_t trials = 0;
  std::int64_t cells = 0;  ///< 0 for single trials
};

struct SharedCells {
  std::vector<SharedCell> cells;
  /// The run's grid when all cells are cells of the run; else that of the experiment, when its
  /// cells are of one size and lined up.
  std::optional<CellGrid> grid;
  bool are_cells_of_run = true;
  LeftOut outside;  ///< not wholly inside the map
  LeftOut unknown;  ///< where the run has trials in less than half of the area
};

/// Single trials of an experiment, counted in the cells of one slice of a grid. `left_out` grows by
/// the number of trials that are not on the grid.
std::vector<ExperimentCell> counted_in(const CellGrid& grid,
                                       const std::vector<ExperimentTrial>& trials,
                                       std::int64_t& left_out);

/// Whether cells need stored trials of the run to be compared.
enum class StoredTrials { kNeeded, kNotNeeded };

/// Throws ConfigError unless single trials that give their angle have one of the run's cell of
/// angles `slice`, as its stored trials have; `instead` says what to do.
void check_angles_stored(const Experiment& experiment, const Axis& theta, std::optional<int> slice,
                         const char* instead);

/// Single trials are counted in the run's cells. Cells with trials are compared with the run's
/// estimate for that rectangle (rectangle_probabilities at normal quantile z); one that reaches
/// beyond the map, or in less than half of which the run has trials, is left out. `slice` is the
/// run's cell of angles, from 0. Where `stored` is kNotNeeded, cells in which the run has too few
/// trials stay, with what there is.
SharedCells share_cells(const RunStore& run, const Experiment& experiment, double z, int slice = 0,
                        StoredTrials stored = StoredTrials::kNeeded);

}  // namespace graspmap
