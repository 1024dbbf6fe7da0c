#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sensitivity/effect_estimator.hpp"
#include "grasp/decide/sensitivity/random_inputs.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// Where a run answers to put the gripper.
struct AnsweredPlacement {
  std::filesystem::path run;  ///< its folder
  double x_mm = 0.0;
  double y_mm = 0.0;
  CellCounts trials;       ///< around it
  bool has_robot = false;  ///< the run has a [robot], which an analysis around it can take
};

/// Which uncertainty matters, in a run.
struct Sensitivity {
  RandomInputs inputs;  ///< of what is analysed as a whole: the map, or around an aim
  RandomInputs
      cell_inputs;  ///< those that vary in each cell; the distributions are the first cell's
  std::optional<AimedPlacement> aim = {};
  /// What placements around the aim are judged with, where its errors are below half a cell.
  std::optional<std::array<Distribution, 3>> judged_error = {};
  double effective_trials = 0.0;  ///< those that count around the aim, by their weights (Kish's)
  double left_out = 0.0;  ///< share of the placements around the aim that lie outside of the map
  Effects whole = {};
  std::optional<GroupEffects> groups = {};  ///< when two or more vary and effects are known
  SuccessMap map = {};
  std::vector<Effects> cells = {};  ///< of each cell by itself
  std::int64_t trials = 0;
  std::int64_t failed = 0;
  double foretold = 0.0;  ///< share of all trials that an emulator without them foretells
  std::vector<std::string> correlated = {};  ///< keys of the first inputs that are correlated
  std::optional<HalvedInputs> halved = {};   ///< of `inputs`; when it was simulated
  std::int64_t total_trials =
      0;                   ///< > 0: the totals in `whole` are those of so many simulated trials
  std::string title = {};  ///< of the run
  std::optional<AnsweredPlacement> answer = {};  ///< for an analysis of the whole map
};

/// Estimates the effects of all random inputs on success from existing trials: a GraspEmulator
/// learns them, estimate_effects computes Sobol indices with it. Intervals by the jackknife over
/// groups of trials; where trials failed, the emulator learns them once as successes and once as no
/// successes, and the interval holds all that comes out. Throws std::logic_error without any trial.
/// Where inputs are correlated there are no effects (SensitivityState::kCorrelated).
Sensitivity analyse_sensitivity(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                const std::optional<AimedPlacement>& aim, double confidence);

/// For a person: the answer first, then a table of the inputs.
std::string sensitivity_text(const Sensitivity& result, double confidence);

/// sensitivity.csv: a row per cell, x fastest, with the effects of all inputs in it.
Table sensitivity_table(const Sensitivity& result);

/// halved.csv: a row for the distributions as they are, and one for each input whose distribution
/// is half as wide. For a result that has them.
Table halved_table(const Sensitivity& result);

/// sensitivity.json: the same as the text, in numbers.
Object sensitivity_fields(const Sensitivity& result, double confidence);

/// "the whole map", "placements around (0, -7) mm with errors of 2 and 2 mm".
std::string subject(const Sensitivity& result);

/// A bar chart of the effects of all inputs with their intervals, where they are known, and a map
/// of each input's total effect in the cells.
std::vector<Figure> sensitivity_figures(const Sensitivity& result, const SweepConfig& config,
                                        double confidence);

/// Which uncertainty matters: what `graspmap sensitivity` and Run.sensitivity are asked. fields()
/// says what each means.
struct SensitivityRequest {
  std::vector<double> placement;
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::optional<std::int64_t> halved_trials;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError, ConfigError.
Sensitivity sensitivity_run(const RunStore& run, const SensitivityRequest& request,
                            const ShowTrials& show = {});

}  // namespace graspmap
