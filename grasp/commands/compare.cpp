#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "grasp/analysis/compare/comparison_figures.hpp"
#include "grasp/analysis/compare/comparison_report.hpp"
#include "grasp/analysis/compare/fact_check.hpp"
#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/analysis_results.hpp"
#include "grasp/commands/commands.hpp"
#include "grasp/commands/options.hpp"
#include "grasp/io/number.hpp"
#include "grasp/store/run_directory.hpp"
#include "grasp/store/trial_search.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kCompareFolder = "compare";

CommandSyntax compare_syntax() {
  CommandSyntax syntax{
      "compare", "RUNDIR EXPERIMENT",
      "Tells whether a run and an experiment differ by more than chance explains, by how much,\n"
      "and where. EXPERIMENT.csv begins with a line '# origin = measured' (or digitised,\n"
      "simulated). It has a row for each cell, with the columns\n"
      "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes, or a row for each trial, with\n"
      "x_mm,y_mm,success. With EXPERIMENT.toml, checks facts that are published in words.\n"
      "The exit code is 0 when the comparison was made, whatever it says.\n",
      "  graspmap compare outputs/lock_piece lab.csv\n"
      "  graspmap compare outputs/lock_piece lab.csv --confidence 0.99 --out lab_comparison\n"
      "  graspmap compare outputs/lock_piece configs/published/brost_christiansen_1996.toml\n"};
  syntax.options.add_options()("theta-rad", po::value<std::string>()->value_name("T"),
                               "compare the trials at this angle, for a run with several angles");
  add_analysis_options(syntax.options, kCompareFolder);
  return syntax;
}

/// What the command was asked for.
struct Request {
  fs::path store;
  fs::path experiment;
  fs::path folder;
  std::optional<double> theta_rad;
  double confidence = 0.95;
  bool plots = true;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.confidence = read_confidence(arguments);
  request.store = store_file(arguments.operand());
  request.experiment = arguments.operands()[1];
  request.folder = analysis_folder(arguments, request.store.parent_path(), kCompareFolder);
  if (arguments.has("theta-rad")) {
    request.theta_rad = parse_number(arguments.text("theta-rad"));
    if (!request.theta_rad) {
      arguments.fail(
          fmt::format("--theta-rad: '{}'; must be a number", arguments.text("theta-rad")));
    }
  }
  request.plots = !arguments.has("no-plots");
  return request;
}

/// The run's cell of angles that is compared: an experiment has one angle.
int chosen_slice(const RunStore& run, const Request& request) {
  const Axis& theta = run.config().placement.theta_rad;
  if (!request.theta_rad) {
    if (theta.cells == 1) return 0;
    throw ConfigError(
        fmt::format("{}: has {} cells of angles from {} to {} rad, an experiment has one angle; "
                    "choose the cell "
                    "that holds T with --theta-rad T",
                    run_of(run.file()).string(), theta.cells, theta.min, theta.max));
  }
  if (const auto slice = theta.cell_at(*request.theta_rad)) return *slice;
  throw ConfigError(fmt::format("--theta-rad {}: is not an angle of {}; must be from {} to {} rad",
                                *request.theta_rad, run_of(run.file()).string(), theta.min,
                                theta.max));
}

void check_published_facts(const Request& request) {
  const PublishedFacts published = read_published_facts(request.experiment);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const FactCheck check =
      check_facts(run, published, request.confidence, chosen_slice(run, request));
  std::cout << fact_check_text(check);
  save_analysis(request.folder,
                {{"facts.csv", fact_check_csv(check)}, {"facts.json", fact_check_json(check)}}, {},
                request.plots);
}

void compare_with_experiment(const Request& request) {
  const Experiment experiment = read_experiment(request.experiment);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const ExperimentComparison comparison =
      compare_experiment(run, experiment, request.confidence, chosen_slice(run, request));
  std::cout << comparison_text(comparison);
  save_analysis(
      request.folder,
      {{"compare.csv", comparison_csv(comparison)}, {"compare.json", comparison_json(comparison)}},
      comparison_figures(comparison), request.plots);
}

}  // namespace

int compare_command(const std::vector<std::string>& args) {
  const Arguments arguments(compare_syntax(), args);
  if (arguments.help_printed()) return 0;
  const Request request = read_request(arguments);
  if (request.experiment.extension() == ".toml") {
    check_published_facts(request);
  } else {
    compare_with_experiment(request);
  }
  return 0;
}

}  // namespace graspmap
