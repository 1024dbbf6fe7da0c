#include <fmt/format.h>

#include <iostream>

#include "grasp/analysis/calibrate/calibration_report.hpp"
#include "grasp/analysis/calibrate/posterior_figure.hpp"
#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/analysis_results.hpp"
#include "grasp/commands/commands.hpp"
#include "grasp/commands/options.hpp"
#include "grasp/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kCalibrateFolder = "calibrate";

CommandSyntax calibrate_syntax() {
  CommandSyntax syntax{
      "calibrate", "RUNDIR EXPERIMENT.csv",
      "Finds the laws of friction that explain an experiment: the posterior of the bounds (or\n"
      "of mean and spread) of jaw and support friction, given the successes in each cell. The\n"
      "trials of the run, made with broad friction, show how success depends on friction; the\n"
      "laws must lie inside the range that the run covers. Also tells how much the experiment\n"
      "says about each number, and whether any such law explains the experiment at all.\n"
      "EXPERIMENT.csv: a line '# origin = measured' (or digitised, simulated), then the columns\n"
      "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes or x_mm,y_mm,success.\n",
      "  graspmap run configs/lock_piece_broad_friction.toml\n"
      "  graspmap calibrate outputs/lock_piece_broad_friction experiment.csv\n"
      "  graspmap calibrate outputs/lock_piece_broad_friction experiment.csv --law normal\n"};
  auto add = syntax.options.add_options();
  add("law", po::value<std::string>()->value_name("L"),
      "uniform (the default): between two bounds; normal: mean and sigma, truncated");
  add("theta-rad", po::value<std::string>()->value_name("A"),
      "the part's angle in the experiment, when the run has several");
  add_analysis_options(syntax.options, kCalibrateFolder);
  return syntax;
}

LawFamily read_family(const Arguments& arguments) {
  if (!arguments.has("law") || arguments.text("law") == "uniform") return LawFamily::kUniform;
  if (arguments.text("law") == "normal") return LawFamily::kNormal;
  arguments.fail(fmt::format("--law: '{}'; must be uniform or normal", arguments.text("law")));
}

/// The cell of angles of the run that the experiment was made at.
int read_slice(const Arguments& arguments, const Axis& axis) {
  if (!arguments.has("theta-rad")) {
    if (axis.cells == 1) return 0;
    arguments.fail(fmt::format(
        "the run has {} cells of angles from {} to {} rad; give the experiment's with --theta-rad",
        axis.cells, axis.min, axis.max));
  }
  const std::vector<double> angle = arguments.numbers("theta-rad");
  if (angle.size() != 1 || angle[0] < axis.min || angle[0] > axis.max) {
    arguments.fail(fmt::format("--theta-rad: '{}'; must be a number from {} to {}, as in the run",
                               arguments.text("theta-rad"), axis.min, axis.max));
  }
  return axis.nearest_cell(angle[0]);
}

void check_data(const Arguments& arguments, const CalibrationData& data) {
  if (data.ranges[0].is_fixed() && data.ranges[1].is_fixed()) {
    arguments.fail(fmt::format(
        "the run has fixed friction ({} and {}); give a run with broad laws of friction, as in "
        "configs/lock_piece_broad_friction.toml",
        data.ranges[0].low, data.ranges[1].low));
  }
  if (data.cells.empty()) {
    arguments.fail(fmt::format(
        "no cell of the experiment has {} stored trials of the run; the experiment must lie in the "
        "run's map, and the run have trials there",
        kLeastStoredTrials));
  }
}

void check_worth(const Arguments& arguments, const Calibration& calibration) {
  if (calibration.median_effective_trials >= kLeastCalibrationTrials) return;
  arguments.fail(fmt::format(
      "under the laws that explain the experiment, the stored trials are worth {:.1f} in the "
      "median cell; must be {} or more: extend the run (graspmap run --trials-per-cell), or run "
      "narrower laws",
      calibration.median_effective_trials, kLeastCalibrationTrials));
}

}  // namespace

int calibrate_command(const std::vector<std::string>& args) {
  const Arguments arguments(calibrate_syntax(), args);
  if (arguments.help_printed()) return 0;
  const double confidence = read_confidence(arguments);
  const LawFamily family = read_family(arguments);
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const int slice = read_slice(arguments, store.config().placement.theta_rad);
  const Experiment experiment = read_experiment(arguments.operands()[1]);
  const CalibrationData data =
      calibration_data(store.config(), read_trial_samples(store), experiment, slice);
  check_data(arguments, data);
  const Calibration calibration = calibrate_friction(data, family, confidence);
  check_worth(arguments, calibration);
  const CalibrationReport report{store.config(), experiment, data,
                                 calibration,    confidence, arguments.operand()};
  std::cout << calibration_text(report);
  save_analysis(
      analysis_folder(arguments, file.parent_path(), kCalibrateFolder),
      {{"calibrate.json", calibration_json(report)},
       {"parameters.csv", parameters_csv(report)},
       {"posterior.csv", posterior_csv(report)},
       {"map.csv", predicted_csv(report)}},
      {posterior_figure(calibration, store.config().name, confidence), predicted_figure(report)},
      !arguments.has("no-plots"));
  return 0;
}

}  // namespace graspmap
