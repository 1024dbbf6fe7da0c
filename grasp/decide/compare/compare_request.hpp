#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"
#include "grasp/decide/compare/published_facts.hpp"

namespace graspmap {

/// Whether an experiment agrees with a run: what `graspmap compare` and Run.compare are asked.
/// fields() tells what each means.
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
