#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/compare/published_facts.hpp"
#include "grasp/decide/difference/run_difference_report.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

constexpr double kDefaultWithin = 0.10;

CommandSyntax compare_syntax() {
  return {
      "compare",
      "RUNDIR EXPERIMENT",
      "Tells whether an experiment agrees with a run, differs, or cannot tell; by how much;\n"
      "and where. EXPERIMENT is one of\n"
      "  FILE.csv  lab trials. It begins with a line '# origin = measured' (or digitised,\n"
      "            simulated). A row for each trial, x_mm,y_mm,success, or for each cell,\n"
      "            x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes. A column theta_rad\n"
      "            tells angles. A column session names trials with the same friction: one\n"
      "            pair of surfaces, one day.\n"
      "  RUNDIR    another run, finished or not, or a map.csv of graspmap\n"
      "  FILE.toml facts that are published in words\n"
      "The run's model is simulated at the experiment's own placements, with friction, noise\n"
      "and [uncertain] numbers from the run's laws, so trials on a lattice are compared\n"
      "rightly. Then the total\n"
      "is tested, shifts, a turn, other friction, and differences by place, corrected for\n"
      "their number. 'Agrees within D points' is said when, at the confidence asked, neither\n"
      "the total nor any of these changes can make a larger difference. The table says which\n"
      "changes this experiment would have found.\n"
      "The exit code is 0 when the comparison was made, whatever it says.\n",
      "  graspmap compare outputs/lock_piece lab.csv\n"
      "  graspmap compare outputs/lock_piece lab.csv --within 5 --confidence 0.99\n"
      "  graspmap compare outputs/lock_piece outputs/other_friction\n"
      "  graspmap compare outputs/lock_piece configs/published/brost_christiansen_1996.toml\n",
      {{"within D", "percentage points of success that are still agreement (default: 10)"},
       {"trials N",
        "simulate about N trials at the experiment's placements (default: 100000 to "
        "200000, by the number of placements)"},
       {"no-simulate",
        "simulate nothing: take the stored trials of the cells. Wrong for placements on a lattice"},
       {"theta-rad T", "compare the trials at this angle, for a run with several angles"},
       {"threads N", "threads (default: all)"},
       {"quiet", "show no progress"}}};
}

/// What the command was asked for.
struct Request {
  fs::path store;
  fs::path experiment;
  std::optional<double> theta_rad;
  double confidence = 0.95;
  double within = kDefaultWithin;
  PredictionOptions prediction;
};

double read_within(const Arguments& arguments) {
  if (!arguments.has("within")) return kDefaultWithin;
  return arguments.number("within", "a number of percentage points above 0, at most 100",
                          [](double points) { return points > 0 && points <= 100; }) /
         100;
}

PredictionOptions read_prediction(const Arguments& arguments) {
  PredictionOptions options;
  options.simulate = !arguments.has("no-simulate");
  if (!options.simulate && arguments.has("trials")) {
    arguments.fail("--trials: nothing is simulated with --no-simulate");
  }
  if (arguments.has("trials")) options.trials = arguments.count("trials", 0, 100, 1'000'000'000);
  options.threads = arguments.threads();
  return options;
}

Request read_request(const Arguments& arguments) {
  Request request;
  request.confidence = read_confidence(arguments);
  request.store = store_file(arguments.operand());
  request.experiment = arguments.operands()[1];
  if (arguments.has("theta-rad")) request.theta_rad = arguments.number("theta-rad");
  request.within = read_within(arguments);
  request.prediction = read_prediction(arguments);
  return request;
}

int chosen_slice(const RunStore& run, const Request& request) {
  return chosen_slice(run.config().placement.theta_rad, run_of(run.file()).string(),
                      request.theta_rad);
}

Analysis check_published_facts(const Request& request) {
  const PublishedFacts published = read_published_facts(request.experiment);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const FactCheck check =
      check_facts(run, published, request.confidence, chosen_slice(run, request));
  return {fact_check_text(check),
          {{"facts.csv", fact_check_table(check)}, {"facts.json", fact_check_fields(check)}},
          {}};
}

/// Whether a file is a map.csv of graspmap.
bool is_map_csv(const fs::path& file) { return read_csv_text(file).starts_with("cell_x,cell_y"); }

/// A map with one slice of angles that is to be compared with that of a run.
Experiment experiment_of(const SuccessMap& map, const Request& request) {
  const int slice = chosen_slice(map.theta_rad, request.experiment.string(), request.theta_rad);
  return experiment_of_map(map, slice, request.experiment.string());
}

Experiment read_any_experiment(const Request& request) {
  const fs::path& file = request.experiment;
  if (fs::is_directory(file) || file.extension() == ".sqlite") {
    const RunStore other = RunStore::open(store_file(file), RunStore::Access::kRead);
    return experiment_of(read_totals(other).map, request);
  }
  if (is_map_csv(file)) return experiment_of(read_map_csv(file), request);
  return read_experiment(file);
}

std::vector<Figure> figures_of(const ExperimentComparison& comparison, const RunStore& run) {
  std::vector<Figure> figures = agreement_figures(comparison);
  if (!comparison.theta_rad) {
    figures.push_back(experiment_figure(read_totals(run).map, comparison));
  }
  for (Figure& figure : comparison_figures(comparison)) figures.push_back(std::move(figure));
  return figures;
}

Analysis compare_with_experiment(const Request& request) {
  const Experiment experiment = read_any_experiment(request);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const ExperimentComparison comparison =
      compare_experiment(run, experiment,
                         {request.confidence, request.within,
                          slice_for(run, experiment, request.theta_rad), request.prediction});
  return {comparison_text(comparison),
          {{"compare.csv", comparison_table(comparison)},
           {"compare.json", comparison_fields(comparison)},
           {"placements.csv", placements_table(comparison)}},
          figures_of(comparison, run)};
}

Analysis analyse_comparison(const Arguments& arguments, const AnalysisWatch& watch) {
  Request request = read_request(arguments);
  request.prediction.show = watch.trials;
  return request.experiment.extension() == ".toml" ? check_published_facts(request)
                                                   : compare_with_experiment(request);
}

}  // namespace

AnalysisCommand compare_analysis() {
  return {compare_syntax(), "RUNDIR/compare", analyse_comparison};
}

namespace {

CommandSyntax difference_syntax() {
  return {"difference",
          "RUN_A RUN_B",
          "Compares two designs on the same grid of placements: another jaw force, jaw shape,\n"
          "speed, part or friction. Tells how much more often B succeeds than A on the whole map,\n"
          "on the plateaus, at the sweet spots and in each cell, and in which cells chance does\n"
          "not explain it.\n"
          "Runs of the same seed have the same random numbers in each trial. They are compared\n"
          "in pairs, which tells as much as many times the trials. Runs of different seeds are\n"
          "compared as independent samples. Writes difference.csv, difference.json and a\n"
          "figure into RUN_A/difference/NAME_OF_B.\n",
          "  graspmap run configs/lock_piece.toml --out outputs/strong \\\n"
          "      --set gripper.closing_force_n=20\n"
          "  graspmap difference outputs/lock_piece outputs/strong\n",
          {{"false-discovery-rate Q",
            "the share of false findings allowed among the significant cells (default: 0.05)"}}};
}

double read_false_discovery_rate(const Arguments& arguments) {
  if (!arguments.has("false-discovery-rate")) return 0.05;
  return arguments.number("false-discovery-rate", "a number > 0, at most 0.5",
                          [](double value) { return value > 0 && value <= 0.5; });
}

/// What a run is called: its folder's name, or the file's when it has another name than in a run
/// folder.
std::string name_of(const fs::path& store) {
  const fs::path run = run_of(fs::absolute(store).lexically_normal());
  return run.stem().empty() ? "run" : run.filename().string();
}

Analysis analyse_difference(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const DifferenceQuestion question{read_confidence(arguments),
                                    read_false_discovery_rate(arguments)};
  const fs::path file_a = store_file(arguments.operands()[0]);
  const fs::path file_b = store_file(arguments.operands()[1]);
  const RunStore a = RunStore::open(file_a, RunStore::Access::kRead);
  const RunStore b = RunStore::open(file_b, RunStore::Access::kRead);
  const RunDifference result = compare_runs(a, b, question);
  return {difference_text(result),
          {{"difference.csv", difference_table(result)},
           {"difference.json", difference_fields(result)}},
          difference_figures(result),
          {},
          file_a.parent_path() / "difference" / name_of(file_b)};
}

}  // namespace

AnalysisCommand difference_analysis() {
  return {difference_syntax(), "RUN_A/difference/NAME_OF_B", analyse_difference};
}

}  // namespace graspmap
