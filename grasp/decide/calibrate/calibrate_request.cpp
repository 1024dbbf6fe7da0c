#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/decide/calibrate/adaptive_simulation.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"
#include "grasp/decide/compare/shared_cells.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

namespace {

RequestField range_field(std::string form, std::optional<std::array<double, 2>>& member,
                         std::string meaning) {
  return numbers_field(
      std::move(form), member, "two numbers A,B with 0 <= A < B <= 10",
      [](const std::vector<double>& n) {
        return n.size() == 2 && n[0] >= 0 && n[0] < n[1] && n[1] <= 10;
      },
      std::move(meaning));
}

}  // namespace

RequestFields CalibrateRequest::fields() {
  return {
      word_field("law L", family, {"uniform", "normal"},
                 "uniform (the default): mean +- width / 2; normal: mean and sigma, truncated"),
      number_field("theta-rad A", theta_rad, {},
                   "the part's angle in the experiment, when the run has several"),
      flag_field("simulate", simulate, "simulates trials at the experiment's placements"),
      words_field(
          "with LIST", with,
          "what is sought besides friction, of: offset (of the robot in x, y, theta), noise (of "
          "the robot from trial to trial), e_r (of the support), size (of the part), discrepancy "
          "(a smooth field over the map, of no known cause: intervals stay honest when no "
          "distribution fits), or an uncertain number of the run by its key, part.mass_kg; needs "
          "--simulate"),
      range_field("jaw-range A,B", jaw_range,
                  "where the mean of the jaw friction is sought, in place of what the run covers; "
                  "needs --simulate"),
      range_field("support-range A,B", support_range, "the same for the support friction"),
      columns_field(columns),
      threads_field(threads),
      confidence_field(confidence)};
}

namespace {

/// The cell of angles of the run that the experiment was made at.
int slice_of(const CalibrateRequest& request, const Axis& axis) {
  if (!request.theta_rad && axis.cells == 1) return 0;
  if (!request.theta_rad) {
    throw RequestError(fmt::format(
        "the run has {} cells of angles from {} to {} rad; give the experiment's with --theta-rad",
        axis.cells, axis.min, axis.max));
  }
  const double angle = *request.theta_rad;
  if (angle < axis.min || angle > axis.max) {
    throw RequestError("theta-rad", "",
                       fmt::format("a number from {} to {}, as in the run", axis.min, axis.max));
  }
  return axis.nearest_cell(angle);
}

FrictionRange range_of(const std::optional<std::array<double, 2>>& asked, FrictionRange of_run) {
  of_run.holds_all = false;
  if (asked) {
    of_run.low = (*asked)[0];
    of_run.high = (*asked)[1];
  }
  return of_run;
}

/// True when the word is the key of an uncertain number, which is sought from now on.
bool add_number(const std::string& word, const SweepConfig& config, Nuisances& nuisances) {
  const auto& numbers = config.uncertain;
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const UncertainNumber& one) { return one.key == word; });
  if (found == numbers.end()) return false;
  for (const CorrelatedInputs& inputs : config.correlated) {
    if (std::find(inputs.keys.begin(), inputs.keys.end(), word) == inputs.keys.end()) continue;
    throw RequestError("with", fmt::format("{} is correlated with other inputs", word),
                       "independent");
  }
  for (const SoughtNumber& other : nuisances.numbers) {
    if (other.key == word) throw RequestError("with", fmt::format("{} is named twice", word));
  }
  nuisances.numbers.push_back(
      sought_number(config, static_cast<std::size_t>(found - numbers.begin())));
  return true;
}

/// The words for what is sought besides friction and uncertain numbers.
constexpr std::pair<const char*, bool Nuisances::*> kCauses[] = {
    {"offset", &Nuisances::offset},
    {"noise", &Nuisances::noise},
    {"e_r", &Nuisances::support},
    {"size", &Nuisances::size},
    {"discrepancy", &Nuisances::discrepancy}};

std::string with_words(const SweepConfig& config) {
  std::vector<std::string> words;
  for (const auto& [word, is_sought] : kCauses) words.emplace_back(word);
  for (const UncertainNumber& number : config.uncertain) words.push_back(number.key);
  return fmt::format("{}", fmt::join(words, ", "));
}

Nuisances nuisances_of(const CalibrateRequest& request, const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  Nuisances nuisances;
  for (const std::string& given : request.with) {
    const std::string word = in_radians(given);
    const auto* cause = std::find_if(std::begin(kCauses), std::end(kCauses),
                                     [&](const auto& one) { return one.first == word; });
    if (cause != std::end(kCauses)) {
      nuisances.*(cause->second) = true;
    } else if (!add_number(word, config, nuisances)) {
      throw RequestError(
          "with", fmt::format("'{}'", word),
          fmt::format("{} or several of them with commas between", with_words(config)));
    }
  }
  nuisances.e_r_mm = support_radius_mm(scenario);
  nuisances.support_name = support_radius_name(scenario);
  if (nuisances.support && !(nuisances.e_r_mm > 0)) {
    throw RequestError("with",
                       "e_r; the run's support has neither an e_r nor the radius of a tripod");
  }
  return nuisances;
}

void check_friction(const CalibrationData& data) {
  if (!data.ranges[0].is_fixed() || !data.ranges[1].is_fixed()) return;
  throw RequestError(fmt::format(
      "the run has fixed friction ({} and {}); give a run with broad distributions of friction, as "
      "in configs/lock_piece_broad_friction.toml, or --simulate with --jaw-range and "
      "--support-range",
      data.ranges[0].low, data.ranges[1].low));
}

void check_stored(const CalibrationData& data, const Experiment& experiment, const CellGrid& grid) {
  check_friction(data);
  if (data.cells.empty()) {
    throw RequestError(fmt::format(
        "no cell of the experiment has {} stored trials of the run; the experiment must lie in the "
        "run's map, and the run have trials there; --simulate needs no stored trials",
        kLeastStoredTrials));
  }
  if (!experiment.sessions.empty()) {
    throw RequestError(
        "the experiment has sessions, in which friction is constant; add --simulate, which "
        "supports them");
  }
  if (are_on_lattice(grid, experiment.single_trials)) {
    throw RequestError(
        "the single trials lie on a lattice or at a few places, and stored trials are spread over "
        "cells; add --simulate, which simulates trials at the experiment's own placements");
  }
}

/// After the fit: an experiment that no distribution fits needs no more stored trials.
void check_worth(const CalibrationReport& report) {
  const Calibration& calibration = report.calibration;
  if (is_misfit(calibration)) return;
  if (calibration.median_effective_trials >= kLeastCalibrationTrials) return;
  throw RequestError(fmt::format(
      "under the distributions found ({}), the stored trials are worth {:.1f} in the median cell; "
      "must be {} or more: add --simulate, which simulates some 200000 trials where these "
      "distributions are, or extend the run (graspmap run --trials-per-cell)",
      found_friction(report), calibration.median_effective_trials, kLeastCalibrationTrials));
}

/// Whether the stored trials show the map under the mean distributions.
bool can_reweight(const RunStore& run, const CalibrationReport& report) {
  const std::vector<std::string> settings = mean_settings(report);
  if (settings.empty()) return false;
  try {
    reweight_run(run, {settings, report.confidence});
    return true;
  } catch (const RequestError&) {  // too few trials there
    return false;
  } catch (const ConfigError&) {  // none
    return false;
  }
}

std::string kept_options(const CalibrateRequest& request) {
  std::string text;
  if (request.family == FrictionFamily::kNormal) text += " --law normal";
  if (request.theta_rad) text += fmt::format(" --theta-rad {}", *request.theta_rad);
  if (request.confidence != CalibrateRequest{}.confidence) {
    text += fmt::format(" --confidence {}", request.confidence);
  }
  if (!request.columns.empty()) {
    text += " --columns " + shell_word(fmt::format("{}", fmt::join(request.columns, ",")));
  }
  if (!request.with.empty()) text += fmt::format(" --with {}", fmt::join(request.with, ","));
  return text;
}

/// " --jaw-range 0,0.7"
std::string range_options(const CalibrateRequest& request) {
  std::string text;
  const auto add = [&](const char* option, const std::optional<std::array<double, 2>>& range) {
    if (range) text += fmt::format(" --{} {},{}", option, (*range)[0], (*range)[1]);
  };
  add("jaw-range", request.jaw_range);
  add("support-range", request.support_range);
  return text;
}

/// The cells of the experiment as they are, and where the distributions are sought.
CalibrationData simulated_data(const CalibrateRequest& request, const SweepConfig& config,
                               const Experiment& experiment, int slice) {
  CalibrationData data;
  data.ranges = friction_ranges(config);
  data.ranges[0] = range_of(request.jaw_range, data.ranges[0]);
  data.ranges[1] = range_of(request.support_range, data.ranges[1]);
  data.cells = exact_cells(config.placement, experiment, slice);
  for (const CalibrationCell& cell : data.cells) data.experiment_trials += cell.experiment.trials;
  return data;
}

Calibration simulate_and_calibrate(const CalibrateRequest& request, const SweepConfig& config,
                                   const Nuisances& sought, const CalibrationData& data,
                                   bool in_sessions, const ShowTrials& show) {
  const Unknowns unknowns(request.family, data.ranges, sought);
  if (in_sessions && sought.noise) {
    throw RequestError("with", "noise is not sought in an experiment with sessions");
  }
  if (in_sessions && sought.discrepancy) {
    throw RequestError("with", "discrepancy is not sought in an experiment with sessions");
  }
  const PlacementSweep& placement = config.placement;
  NoiseDistributions noise{placement.noise_x_mm, placement.noise_y_mm, placement.noise_theta_rad};
  if (sought.noise) noise = {};  // sought in place of the configuration's
  return calibrate_by_simulation(
      data.cells, unknowns, noise, simulator_of(config, request.threads, show), request.confidence,
      {.for_each = on_all_threads(request.threads), .in_sessions = in_sessions});
}

}  // namespace

CalibrationReport calibrate_run(const RunStore& run, const std::filesystem::path& experiment_file,
                                const CalibrateRequest& request, const ShowTrials& show) {
  const std::pair<const char*, bool> of_simulation[] = {
      {"with", !request.with.empty()},
      {"jaw-range", request.jaw_range.has_value()},
      {"support-range", request.support_range.has_value()}};
  for (const auto& [option, is_there] : of_simulation) {
    if (is_there && !request.simulate) throw RequestError(option, "needs --simulate");
  }
  const SweepConfig& config = run.config();
  const int slice = slice_of(request, config.placement.theta_rad);
  const Experiment experiment = read_experiment(experiment_file, request.columns);
  if (!request.simulate) {
    check_angles_stored(experiment, config.placement.theta_rad, slice, "give --simulate");
  }
  const bool in_sessions = !experiment.sessions.empty();
  const Nuisances sought = nuisances_of(request, config);
  const CalibrationData data =
      request.simulate ? simulated_data(request, config, experiment, slice)
                       : calibration_data(config, read_trial_samples(run), experiment, slice);
  if (!request.simulate) check_stored(data, experiment, config.placement);
  const bool seeks_friction_only =
      std::all_of(request.with.begin(), request.with.end(),
                  [](const auto& word) { return word == "discrepancy"; });
  if (request.simulate && seeks_friction_only) check_friction(data);
  try {
    Calibration calibration =
        request.simulate ? simulate_and_calibrate(request, config, sought, data, in_sessions, show)
                         : calibrate_friction(data, request.family, request.confidence);
    CalibrationReport report{.config = config,
                             .experiment = experiment,
                             .data = data,
                             .calibration = std::move(calibration),
                             .confidence = request.confidence,
                             .run = run.file(),
                             .options = kept_options(request),
                             .has_discrepancy = sought.discrepancy,
                             .range_options = range_options(request),
                             .slice = slice};
    check_worth(report);
    report.can_reweight = !is_misfit(report.calibration) && can_reweight(run, report);
    return report;
  } catch (const NowhereFinite&) {
    throw RequestError(
        fmt::format("{}: no distribution of those that are sought can give these trials; check the "
                    "placements and their "
                    "units, or seek wider distributions: --simulate with --jaw-range, "
                    "--support-range and --with",
                    experiment_file.string()));
  }
}

}  // namespace graspmap
