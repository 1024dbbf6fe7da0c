#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/experiment_prediction.hpp"
#include "grasp/decide/compare/map_numbers.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/decide/statistics/homogeneity.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// A cell in which a run and an experiment are compared. Differences are experiment - run.
struct CellComparison {
  SharedCell cell;
  Estimate experiment;       ///< with Wilson's interval
  Estimate difference;       ///< with Newcombe's interval
  double p_value = 1.0;      ///< Fisher's exact test of "equally often"
  double adjusted_p = 1.0;   ///< by Benjamini and Hochberg for the number of cells
  bool significant = false;  ///< adjusted_p <= 1 - confidence
};

struct ComparisonOptions {
  double confidence = 0.95;
  double within = 0.10;      ///< the difference in probability that is still agreement
  std::optional<int> slice;  ///< the run's cell of angles; without it, the trials tell their angle
  PredictionOptions prediction = {};
};

struct ExperimentComparison {
  std::string run_name;
  std::optional<double> theta_rad;  ///< centre of the cell of angles, where the run has several
  Experiment experiment;            ///< without its trials
  double confidence = 0.95;
  std::optional<CellGrid> grid;
  bool are_cells_of_run = true;
  LeftOut outside;
  LeftOut unknown;
  std::vector<CellComparison> cells;     ///< at least one
  std::vector<std::size_t> significant;  ///< cells, the smallest p-value first
  /// The cell with the largest |difference| among those with kLeastTrialsOfCell trials of both.
  std::optional<std::size_t> largest;
  double typical_half_width = 0.0;  ///< median half width of the differences' intervals
  SampleCounts run_total;
  SampleCounts experiment_total;
  HomogeneityTest test;
  ExperimentPrediction prediction;
  Agreement agreement;                ///< its groups are the cells
  std::optional<MapNumbers> numbers;  ///< where there is a grid and a cell with enough trials
};

/// Compares a run with an experiment: at the experiment's own placements (agreement), cell by cell,
/// over all cells, and by the shapes of the maps. Throws ConfigError when they have no cell in
/// common, or when angles are needed that the run has not.
ExperimentComparison compare_experiment(const RunStore& run, const Experiment& experiment,
                                        const ComparisonOptions& options);

}  // namespace graspmap
