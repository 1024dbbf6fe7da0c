#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/compare/experiment_comparison.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

namespace fs = std::filesystem;

RequestFields CompareRequest::fields() {
  return {number_field("within D", within_points,
                       {"a number of percentage points above 0, at most 100", 0.0, 100.0, true},
                       "percentage points of success that are still agreement (default: 10)"),
          count_field("trials N", trials, 100, 1'000'000'000,
                      "simulate about N trials at the experiment's placements (default: 100000 to "
                      "200000, by the number of placements)"),
          flag_field("no-simulate", no_simulate,
                     "simulate nothing: take the stored trials of the cells. Wrong for placements "
                     "on a lattice"),
          number_field("theta-rad T", theta_rad, {},
                       "compare the trials at this angle, for a run with several angles"),
          columns_field(columns),
          threads_field(threads),
          confidence_field(confidence)};
}

namespace {

/// A map with one slice of angles that is to be compared with that of a run.
Experiment experiment_of(const SuccessMap& map, const fs::path& file,
                         const std::optional<double>& theta_rad) {
  return experiment_of_map(map, chosen_slice(map.theta_rad, file.string(), theta_rad),
                           file.string());
}

/// Whether a file is a run of graspmap.
bool is_run(const fs::path& file) {
  return fs::is_directory(file) || file.extension() == ".sqlite";
}

}  // namespace

bool is_experiment_file(const fs::path& file) {
  if (is_run(file)) return false;
  const CsvTable table = read_csv(file);
  return !table.find_column("cell_x") || !table.find_column(name(Outcome::kWedged));
}

Experiment read_any_experiment(const fs::path& file, const CompareRequest& request) {
  const std::optional<double>& theta_rad = request.theta_rad;
  if (is_run(file)) {
    const RunStore other = RunStore::open(store_file(file), RunStore::Access::kRead);
    return experiment_of(read_totals(other).map(), file, theta_rad);
  }
  return is_experiment_file(file) ? read_experiment(file, request.columns, false)
                                  : experiment_of(read_map_csv(file), file, theta_rad);
}

std::string next_step_text(const ExperimentComparison& comparison, const RunStore& run,
                           const CompareRequest& request) {
  const Agreement& agreement = comparison.agreement;
  const SweepConfig& config = run.config();
  const std::string folder = shell_word(run_of(run.file()).string());
  const bool has_angles = config.placement.theta_rad.cells > 1;
  if (agreement.significant && (!has_angles || comparison.theta_rad)) {
    std::string text = fmt::format(
        "\nNext: the friction that explains the experiment, in 10 to 60 s:\n"
        "  graspmap calibrate {} {} --simulate",
        folder, shell_word(comparison.experiment.file));
    if (comparison.theta_rad) text += fmt::format(" --theta-rad {}", *comparison.theta_rad);
    if (config.mu_jaw.is_fixed() && config.mu_support.is_fixed()) {
      text += " --jaw-range 0,1 --support-range 0,1";
    }
    if (!request.columns.empty()) {
      text += " --columns " + shell_word(fmt::format("{}", fmt::join(request.columns, ",")));
    }
    return text + "\n";
  }
  if (agreement.verdict != AgreementVerdict::kCannotTell) return "";
  return fmt::format(
      "\nNext: how many trials would decide, and where:\n"
      "  graspmap lab-plan {} --agree-within {:.4g}\n",
      folder, std::min(request.within_points, 50.0));
}

ExperimentComparison compare_run(const RunStore& run, const Experiment& experiment,
                                 const CompareRequest& request, const ShowTrials& show) {
  if (request.no_simulate && request.trials) {
    throw RequestError("trials", "nothing is simulated with --no-simulate");
  }
  return compare_experiment(run, experiment,
                            {request.confidence,
                             request.within_points / 100,
                             slice_for(run, experiment, request.theta_rad),
                             {!request.no_simulate, request.trials, request.threads, show}});
}

ExperimentPrediction predict_run(const RunStore& run, const Experiment& experiment,
                                 const CompareRequest& request, const ShowTrials& show) {
  if (request.no_simulate) {
    throw RequestError("no-simulate", "no trial has a result; there must be at least one");
  }
  ExperimentPrediction prediction;
  predict_planned(prediction, run, experiment,
                  slice_for(run, experiment, request.theta_rad).value_or(0),
                  {true, request.trials, request.threads, show});
  return prediction;
}

FactCheck check_run_facts(const RunStore& run, const fs::path& facts,
                          const CompareRequest& request) {
  const PublishedFacts published = read_published_facts(facts);
  const int slice = chosen_slice(run.config().placement.theta_rad, run_of(run.file()).string(),
                                 request.theta_rad);
  return check_facts(run, published, request.confidence, slice);
}

}  // namespace graspmap
