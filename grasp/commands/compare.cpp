#include "grasp/commands/compare.hpp"

#include <filesystem>
#include <iostream>

#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/analysis_results.hpp"
#include "grasp/commands/options.hpp"
#include "grasp/comparison_report.hpp"
#include "grasp/fact_check.hpp"
#include "grasp/figures/comparison_figures.hpp"
#include "grasp/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kFolder = "compare";

CommandSyntax syntax() {
  CommandSyntax syntax{
      "compare", "RUNDIR EXPERIMENT",
      "Tells whether a run and an experiment differ by more than chance explains, by how much, "
      "and\n"
      "where. EXPERIMENT.csv begins with a line '# origin = measured' (or digitised, simulated) "
      "and\n"
      "has a row per cell: x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes, or one per "
      "trial:\n"
      "x_mm,y_mm,success. With EXPERIMENT.toml, facts that are published in words are checked.\n"
      "The exit code is 0 when the comparison was made, whatever it says.\n",
      "  graspmap compare outputs/lock_piece lab.csv\n"
      "  graspmap compare outputs/lock_piece lab.csv --confidence 0.99 --out lab_comparison\n"
      "  graspmap compare outputs/lock_piece configs/published/brost_christiansen_1996.toml\n",
      po::options_description("Options")};
  add_analysis_options(syntax.options, kFolder);
  return syntax;
}

/// What the command was asked for.
struct Request {
  fs::path store;
  fs::path experiment;
  fs::path folder;
  double confidence = 0.95;
  bool plots = true;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.confidence = read_confidence(arguments);
  request.store = store_file(arguments.operand());
  request.experiment = arguments.operands()[1];
  request.folder = analysis_folder(arguments, request.store.parent_path(), kFolder);
  request.plots = !arguments.has("no-plots");
  return request;
}

void check_published_facts(const Request& request) {
  const PublishedFacts published = read_published_facts(request.experiment);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const FactCheck check = check_facts(run, published, request.confidence);
  std::cout << fact_check_text(check);
  save_analysis(request.folder,
                {{"facts.csv", fact_check_csv(check)}, {"facts.json", fact_check_json(check)}}, {},
                request.plots);
}

void compare_with_experiment(const Request& request) {
  const Experiment experiment = read_experiment(request.experiment);
  const RunStore run = RunStore::open(request.store, RunStore::Access::kRead);
  const ExperimentComparison comparison = compare_experiment(run, experiment, request.confidence);
  std::cout << comparison_text(comparison);
  save_analysis(
      request.folder,
      {{"compare.csv", comparison_csv(comparison)}, {"compare.json", comparison_json(comparison)}},
      comparison_figures(comparison), request.plots);
}

}  // namespace

int compare_command(const std::vector<std::string>& args) {
  const Arguments arguments(syntax(), args);
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
