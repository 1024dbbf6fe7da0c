#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/base/process/stop.hpp"
#include "grasp/decide/calibrate/adaptive_simulation.hpp"
#include "grasp/decide/calibrate/calibration_report.hpp"
#include "grasp/decide/support_fit/support_fit_report.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

CommandSyntax calibrate_syntax() {
  return {
      "calibrate",
      "RUNDIR EXPERIMENT.csv",
      "Finds the laws of friction that an experiment does not contradict: the posterior of mean\n"
      "and width (or sigma) of jaw and support friction, given the successes. Also tells how much\n"
      "the experiment says about each number, whether any such law fits, and by what it misses.\n"
      "Without --simulate, the trials of the run, made with broad friction, show how success\n"
      "depends on friction; the laws must lie inside the range that the run covers, and single\n"
      "trials are counted in the run's cells. With --simulate it simulates trials at the\n"
      "experiment's own placements, in rounds, where the posterior is: 10 to 60 s. The run then\n"
      "only gives the configuration. That is the way for laws that are narrow or go beyond the\n"
      "run, for placements on a lattice, and for other causes than friction (--with).\n"
      "Uncertain numbers of the run are drawn from their laws, which are taken as given, except\n"
      "those that --with names: such a number has one unknown value in all trials, within its\n"
      "law or, where that has lots, parts scatter about the unknown value of their lot.\n"
      "EXPERIMENT.csv: a line '# origin = measured' (or digitised, simulated), then the columns\n"
      "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes or x_mm,y_mm,success.\n",
      "  graspmap run configs/lock_piece_broad_friction.toml\n"
      "  graspmap calibrate outputs/lock_piece_broad_friction experiment.csv\n"
      "  graspmap calibrate outputs/lock_piece experiment.csv --simulate --jaw-range 0,0.7\n"
      "  graspmap calibrate outputs/lock_piece experiment.csv --simulate --with offset,size\n",
      {{"law L", "uniform (the default): mean +- width / 2; normal: mean and sigma, truncated"},
       {"theta-rad A", "the part's angle in the experiment, when the run has several"},
       {"simulate", "simulates trials at the experiment's placements"},
       {"with LIST",
        "what is sought besides friction, of: offset (of the robot in x, y, theta), noise (of the\n"
        "robot from trial to trial), e_r (of the support), size (of the part), discrepancy (a "
        "smooth\n"
        "field over the map, of no known cause: intervals stay honest when no law fits), or an\n"
        "uncertain number of the run by its key, part.mass_kg; needs --simulate"},
       {"jaw-range A,B",
        "where the mean of the jaw friction is sought, in place of what the run covers; needs "
        "--simulate"},
       {"support-range A,B", "the same for the support friction"},
       {"threads N", "threads (default: all of the machine)"},
       {"quiet", "no progress"}}};
}

LawFamily read_family(const Arguments& arguments) {
  return arguments.word("law", {"uniform", "normal"}) == 0 ? LawFamily::kUniform
                                                           : LawFamily::kNormal;
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
    arguments.refuse("theta-rad",
                     fmt::format("a number from {} to {}, as in the run", axis.min, axis.max));
  }
  return axis.nearest_cell(angle[0]);
}

FrictionRange read_range(const Arguments& arguments, const char* option,
                         const FrictionRange& of_run) {
  FrictionRange range = of_run;
  range.holds_all = false;
  if (!arguments.has(option)) return range;
  const std::vector<double> ends = arguments.numbers(option);
  if (ends.size() != 2 || !(ends[0] >= 0) || !(ends[0] < ends[1]) || ends[1] > 10) {
    arguments.refuse(option, "two numbers A,B with 0 <= A < B <= 10");
  }
  range.low = ends[0];
  range.high = ends[1];
  return range;
}

/// True when the word is the key of an uncertain number, which is sought from now on.
bool read_number(const Arguments& arguments, const std::string& word, const SweepConfig& config,
                 Nuisances& nuisances) {
  const auto& numbers = config.uncertain;
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const UncertainNumber& one) { return one.key == word; });
  if (found == numbers.end()) return false;
  for (const CorrelatedInputs& inputs : config.correlated) {
    if (std::find(inputs.keys.begin(), inputs.keys.end(), word) == inputs.keys.end()) continue;
    arguments.fail(
        fmt::format("--with {}: is correlated with other inputs; must be independent", word));
  }
  for (const SoughtNumber& other : nuisances.numbers) {
    if (other.key == word) arguments.fail(fmt::format("--with: {} is named twice", word));
  }
  nuisances.numbers.push_back(
      sought_number(config, static_cast<std::size_t>(found - numbers.begin())));
  return true;
}

std::string with_words(const SweepConfig& config) {
  std::string text = "offset, noise, e_r, size, discrepancy";
  for (const UncertainNumber& number : config.uncertain) text += ", " + number.key;
  return text;
}

Nuisances read_nuisances(const Arguments& arguments, const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  Nuisances nuisances;
  if (!arguments.has("with")) return nuisances;
  for (const std::string& word : arguments.words("with")) {
    if (word == "offset") {
      nuisances.offset = true;
    } else if (word == "noise") {
      nuisances.noise = true;
    } else if (word == "e_r") {
      nuisances.support = true;
    } else if (word == "size") {
      nuisances.size = true;
    } else if (word == "discrepancy") {
      nuisances.discrepancy = true;
    } else if (!read_number(arguments, word, config, nuisances)) {
      arguments.fail(fmt::format("--with: '{}'; must be {} or several of them with commas between",
                                 word, with_words(config)));
    }
  }
  nuisances.e_r_mm = support_radius_mm(scenario);
  nuisances.support_name = support_radius_name(scenario);
  if (nuisances.support && !(nuisances.e_r_mm > 0)) {
    arguments.fail("--with e_r: the run's support has neither an e_r nor the radius of a tripod");
  }
  return nuisances;
}

void check_friction(const Arguments& arguments, const CalibrationData& data) {
  if (!data.ranges[0].is_fixed() || !data.ranges[1].is_fixed()) return;
  arguments.fail(fmt::format(
      "the run has fixed friction ({} and {}); give a run with broad laws of friction, as in "
      "configs/lock_piece_broad_friction.toml, or --simulate with --jaw-range and --support-range",
      data.ranges[0].low, data.ranges[1].low));
}

void check_stored(const Arguments& arguments, const CalibrationData& data,
                  const Experiment& experiment, const CellGrid& grid) {
  check_friction(arguments, data);
  if (data.cells.empty()) {
    arguments.fail(fmt::format(
        "no cell of the experiment has {} stored trials of the run; the experiment must lie in the "
        "run's map, and the run have trials there; --simulate needs no stored trials",
        kLeastStoredTrials));
  }
  if (!experiment.sessions.empty()) {
    arguments.fail(
        "the experiment has sessions, in which friction is constant; add --simulate, which knows "
        "them");
  }
  if (are_on_lattice(grid, experiment.single_trials)) {
    arguments.fail(
        "the single trials lie on a lattice or at a few places, and stored trials are spread over "
        "cells; add --simulate, which simulates trials at the experiment's own placements");
  }
}

/// After the fit: an experiment that no law fits needs no more stored trials.
void check_worth(const Arguments& arguments, const CalibrationReport& report) {
  const Calibration& calibration = report.calibration;
  if (is_misfit(calibration)) return;
  if (calibration.median_effective_trials >= kLeastCalibrationTrials) return;
  arguments.fail(fmt::format(
      "under the laws found ({}), the stored trials are worth {:.1f} in the median cell; must be "
      "{} or more: add --simulate, which simulates some 200000 trials where these laws are, or "
      "extend the run (graspmap run --trials-per-cell)",
      found_laws(report), calibration.median_effective_trials, kLeastCalibrationTrials));
}

/// The cells of the experiment as they are, and where the laws are sought.
CalibrationData simulated_data(const Arguments& arguments, const SweepConfig& config,
                               const Experiment& experiment, int slice) {
  CalibrationData data;
  data.ranges = friction_ranges(config);
  data.ranges[0] = read_range(arguments, "jaw-range", data.ranges[0]);
  data.ranges[1] = read_range(arguments, "support-range", data.ranges[1]);
  data.cells = exact_cells(config.placement, experiment, slice);
  for (const CalibrationCell& cell : data.cells) data.experiment_trials += cell.experiment.trials;
  return data;
}

Calibration simulate_and_calibrate(const Arguments& arguments, const SweepConfig& config,
                                   const CalibrationData& data, bool in_sessions, double confidence,
                                   const ShowTrials& show) {
  const Unknowns unknowns(read_family(arguments), data.ranges, read_nuisances(arguments, config));
  if (in_sessions && unknowns.nuisances().noise) {
    arguments.fail("--with noise: is not sought in an experiment with sessions");
  }
  if (in_sessions && unknowns.nuisances().discrepancy) {
    arguments.fail("--with discrepancy: is not sought in an experiment with sessions");
  }
  const int threads = arguments.threads();
  const PlacementSweep& placement = config.placement;
  PlacementNoiseLaws noise{placement.noise_x_mm, placement.noise_y_mm, placement.noise_theta_rad};
  if (unknowns.nuisances().noise) noise = {};  // sought in place of the configuration's
  return calibrate_by_simulation(data.cells, unknowns, noise, simulator_of(config, threads, show),
                                 confidence,
                                 {.for_each = on_all_threads(threads), .in_sessions = in_sessions});
}

/// Throws UsageError when no law that is sought can give the experiment at all.
Calibration calibrate_data(const Arguments& arguments, const SweepConfig& config,
                           const CalibrationData& data, bool in_sessions, double confidence,
                           const ShowTrials& show) {
  try {
    return arguments.has("simulate")
               ? simulate_and_calibrate(arguments, config, data, in_sessions, confidence, show)
               : calibrate_friction(data, read_family(arguments), confidence);
  } catch (const NowhereFinite&) {
    arguments.fail(fmt::format(
        "{}: no law of those that are sought can give these trials; check the placements and their "
        "units, or seek wider laws: --simulate with --jaw-range, --support-range and --with",
        arguments.operands()[1]));
  }
}

Analysis analyse_calibration(const Arguments& arguments, const AnalysisWatch& watch) {
  for (const char* option : {"with", "jaw-range", "support-range"}) {
    if (!arguments.has(option) || arguments.has("simulate")) continue;
    arguments.fail(fmt::format("--{} needs --simulate", option));
  }
  const double confidence = read_confidence(arguments);
  static_cast<void>(read_family(arguments));  // a bad word is told before anything is read
  const RunStore store = open_stored_run(arguments);
  const SweepConfig& config = store.config();
  const int slice = read_slice(arguments, config.placement.theta_rad);
  const Experiment experiment = read_experiment(arguments.operands()[1]);
  const bool simulates = arguments.has("simulate");
  const Nuisances sought = read_nuisances(arguments, config);
  const bool nuisances = arguments.has("with");
  const CalibrationData data =
      simulates ? simulated_data(arguments, config, experiment, slice)
                : calibration_data(config, read_trial_samples(store), experiment, slice);
  if (!simulates) check_stored(arguments, data, experiment, config.placement);
  if (simulates && !nuisances) check_friction(arguments, data);
  const Calibration calibration = calibrate_data(
      arguments, config, data, !experiment.sessions.empty(), confidence, watch.trials);
  const CalibrationReport report{config,     experiment,          data,      calibration,
                                 confidence, arguments.operand(), nuisances, sought.discrepancy};
  check_worth(arguments, report);
  return {calibration_text(report),
          {{"calibrate.json", calibration_fields(report)},
           {"parameters.csv", parameters_table(report)},
           {"posterior.csv", posterior_table(report)},
           {"map.csv", predicted_table(report)}},
          {posterior_figure(calibration, config.name, confidence), predicted_figure(report)}};
}

}  // namespace

AnalysisCommand calibrate_analysis() {
  return {calibrate_syntax(), "RUNDIR/calibrate", analyse_calibration};
}

namespace {

CommandSyntax fit_support_syntax() {
  return {
      "fit-support",
      "PUSHES.csv",
      "Finds the model of the table's friction under a part from measured slow pushes, and\n"
      "prints the [support] block for a configuration.\n"
      "PUSHES.csv begins with a line '# origin = measured' (or digitised, simulated). Each row\n"
      "is one measurement in the part's own axes: the twist vx_mm_s,vy_mm_s,omega_rad_s of the\n"
      "frame's origin, and what the pusher does to the part: the wrench fx_n,fy_n,moment_n_mm\n"
      "about the origin, or force_x_n,force_y_n,contact_x_mm,contact_y_mm. A column push keeps\n"
      "rows of one push together.\n"
      "Fits an ellipsoid (diagonal, full), the convex fourth-order polynomial, and loads on a\n"
      "grid of points; with --points also the loads of the points that the part stands on, free\n"
      "and by statics. Each model predicts pushes that its fit has not seen: the twist from the\n"
      "wrench and the wrench from the twist, in degrees. Tells which explains best and whether\n"
      "the difference is more than chance. Writes support.toml (the block), support_fit.json,\n"
      "support_fit.csv (errors by row) and figures.\n",
      "  graspmap fit-support configs/pushes/simulated_tripod.csv \\\n"
      "      --points \"40,10;-13,17;-5,-35\" --weight-n 8\n"
      "  graspmap fit-support pushes.csv --center 12.5,-3 --out fits/block\n",
      {{"center X,Y", "the centre of mass in the file's frame, mm (default: 0,0)"},
       {"points X,Y;X,Y;...", "points under the part in the file's frame, mm: 3 to 16"},
       {"grid-radius MM",
        "radius about the centre of mass that the grid of points fills (default: twice --length)"},
       {"length MM",
        "length that moments are divided by for angles and fits\n(default: root mean square of the "
        "moments over that of the forces)"},
       {"weight-n N", "the part's weight, to tell friction.support"},
       {"folds N", "groups of held-out pushes (default: 10)"},
       {"resamples N", "bootstrap samples for the parameters' intervals (default: 100)"},
       {"seed N", "of the folds and the bootstrap (default: 1)"},
       {"quiet", "show no progress"}}};
}

SupportFitOptions read_fit_options(const Arguments& arguments) {
  SupportFitOptions options;
  options.confidence = read_confidence(arguments);
  if (arguments.has("points")) {
    for (const auto& [x, y] : arguments.points("points")) options.points_mm.emplace_back(x, y);
    if (options.points_mm.size() < 3 || options.points_mm.size() > kMaxSupportPoints) {
      arguments.fail(fmt::format("--points: has {} points; must be 3 to {}",
                                 options.points_mm.size(), kMaxSupportPoints));
    }
  }
  if (arguments.has("length")) options.length_mm = arguments.positive_number("length");
  if (arguments.has("grid-radius")) {
    options.grid_radius_mm = arguments.positive_number("grid-radius");
  }
  if (arguments.has("weight-n")) options.weight_n = arguments.positive_number("weight-n");
  options.folds = arguments.count("folds", options.folds, 2, 20);
  options.resamples = arguments.count("resamples", options.resamples, 5, 10000);
  options.seed = static_cast<std::uint64_t>(arguments.count("seed", 1, 0, 1000000000));
  return options;
}

Analysis analyse_pushes(const Arguments& arguments, const AnalysisWatch& watch) {
  SupportFitOptions options = read_fit_options(arguments);
  Vec2 center(0.0, 0.0);
  if (arguments.has("center")) {
    const auto points = arguments.points("center");
    if (points.size() != 1) arguments.fail("--center: must be one point X,Y in mm");
    center = {points[0][0], points[0][1]};
  }
  const fs::path file = arguments.operand();
  const PushFile pushes = read_pushes(file, center);
  options.progress = [&](double share) {
    check_stop();
    if (watch.share) watch.share(share);
  };
  const SupportFit fit = fit_support(pushes, options);
  return {support_fit_text(fit),
          {{"support_fit.csv", support_fit_table(fit)},
           {"support_fit.json", support_fit_fields(fit)},
           {"support.toml", support_fit_toml(fit)}},
          support_fit_figures(fit),
          {},
          fs::path("outputs") / (file.stem().string() + "_support")};
}

}  // namespace

AnalysisCommand fit_support_analysis() {
  return {fit_support_syntax(), "outputs/NAME_support", analyse_pushes};
}

}  // namespace graspmap
