#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/decide/compare/experiment.hpp"
#include "grasp/decide/compare/map_numbers.hpp"
#include "grasp/decide/compare/published_facts.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

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
  /// The planned trials' placements and sessions, whose trials do not count; their places are
  /// behind those of the sites.
  std::vector<PredictedSite> planned = {};
};

/// Adds what the run's model says of an experiment's planned trials.
void predict_planned(ExperimentPrediction& prediction, const RunStore& run,
                     const Experiment& experiment, int slice, const PredictionOptions& options);

/// The cell of angles that holds `theta_rad`, or the only one. Throws ConfigError, which calls the
/// map `run` and the angle --theta-rad.
int chosen_slice(const Axis& theta, const std::string& run, std::optional<double> theta_rad);

/// The run's cell of angles that an experiment is compared with; nothing where each trial gives its
/// angle, and none was chosen.
std::optional<int> slice_for(const RunStore& run, const Experiment& experiment,
                             std::optional<double> theta_rad);

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
  std::optional<int> slice;  ///< the run's cell of angles; without it, the trials give theirs
  PredictionOptions prediction = {};
};

struct ExperimentComparison {
  std::string run_name;
  std::string run_title;
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

/// Whether an experiment agrees with a run: what `graspmap compare` and Run.compare are asked.
/// fields() says what each means.
struct CompareRequest {
  double within_points = 10.0;
  std::optional<std::int64_t> trials;
  bool no_simulate = false;
  std::optional<double> theta_rad;
  std::vector<std::string> columns;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// An experiment: a file of trials, of which there may be planned ones alone, a map.csv of
/// graspmap, or another run. Throws ConfigError.
Experiment read_any_experiment(const std::filesystem::path& file, const CompareRequest& request);

/// Throws RequestError, ConfigError.
ExperimentComparison compare_run(const RunStore& run, const Experiment& experiment,
                                 const CompareRequest& request, const ShowTrials& show = {});

/// What the run's model says of an experiment's planned trials alone.
ExperimentPrediction predict_run(const RunStore& run, const Experiment& experiment,
                                 const CompareRequest& request, const ShowTrials& show = {});

/// Whether a file has trials of a laboratory, and is no run or map of graspmap.
bool is_experiment_file(const std::filesystem::path& file);

/// What to do next about a comparison with such a file: a command that runs as it is; may be empty.
std::string next_step_text(const ExperimentComparison& comparison, const RunStore& run,
                           const CompareRequest& request);

/// With facts that are published in words, TOML. Throws ConfigError.
FactCheck check_run_facts(const RunStore& run, const std::filesystem::path& facts,
                          const CompareRequest& request);

}  // namespace graspmap
