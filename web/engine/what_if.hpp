#pragma once

#include <string>
#include <vector>

#include "grasp/decide/plan/success_field.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// What the layers of a map ask at each move of a slider. `sigma`: the standard deviations of a
/// normal positioning error in x (mm), y (mm) and angle (rad), independent of each other; 0: exact.
/// Intervals are 95 %, and answers JSON unless they are numbers.

/// The success probability at the centres of a slice's cells, x fastest, as `graspmap plan` has it.
std::vector<double> expected_at_centers(const SuccessField& field, const PlacementVector& sigma,
                                        int cell_theta);

/// The same of one placement: {"success_probability", "interval"}.
std::string expected_json(const SuccessField& field, const PlacementVector& sigma,
                          const PlacementVector& at);

/// The placement that `graspmap plan` finds first: {"x_mm", "y_mm", "theta_rad",
/// "success_probability", "interval"}, and "judged_sigma", the standard deviations that it was
/// judged with, where the trials are too sparse for those asked for. "null" when no success is
/// known of.
std::string best_placement_json(const SweepConfig& config, const SuccessField& field,
                                const PlacementVector& sigma);

/// The map under other distributions ("friction.jaw.max=0.2"), as `graspmap reweight` has it, also
/// where it would say that the trials are worth too little: {"effective_trials",
/// "median_effective_trials_of_cells", "pareto_k", "warning": that, or "", "cells":
/// {"success_probability", "low", "high", "effective_trials"}}, each of "cells" a list in the order
/// of the map; a probability is null where there are too few trials. Throws ConfigError for
/// distributions that the stored ones do not cover.
std::string reweighted_json(const RunStore& run, const std::vector<std::string>& distributions);

/// By how much `run` is better than `before`, as `graspmap difference` has it: {"cells": how many
/// have trials of both, "mean": over them, "interval", "better" and "worse": cells that differ
/// beyond chance, "values": of each cell, null where one run has no trials}. Throws ConfigError for
/// runs of different grids, and without trials.
std::string difference_json(const RunStore& before, const RunStore& run);

}  // namespace graspmap
