#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/sensitivity/sensitivity_figures.hpp"
#include "grasp/decide/sensitivity/sensitivity_report.hpp"
#include "grasp/decide/sensitivity/simulated_totals.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "sim/closing/grasp_stepper.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kSensitivityFolder = "sensitivity";
constexpr int kHalvedTrials = 10'000;
constexpr int kMostHalvedTrials = 10'000'000;

CommandSyntax sensitivity_syntax() {
  CommandSyntax syntax{
      "sensitivity", "RUNDIR",
      "Tells which uncertainty matters: how much of the variance of success comes from the\n"
      "position, how much from the friction, how much from the tolerances of the part, of the\n"
      "gripper and of the support, and how much from each random input, alone and together\n"
      "with others (Sobol indices with intervals). Answers for the whole map, or for the normal\n"
      "errors of a robot around a placement, and for each cell. An emulator learns from the\n"
      "stored trials: no trials are run for this.\n"
      "A share does not say what a tighter tolerance is worth. With --halved-trials trials are\n"
      "simulated with each law by itself half as wide about its centre (sigma, or the range),\n"
      "all with the same random numbers: success as it is, and with each law halved; and with\n"
      "each input drawn anew, which gives what it takes part in. That is the default for runs\n"
      "with [uncertain] numbers.\n"
      "Writes sensitivity.csv (the cells), sensitivity.json, halved.csv and figures.\n",
      "  graspmap sensitivity outputs/lock_piece\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2 \\\n"
      "      --halved-trials 20000                          # and the value of tightening\n"};
  add_analysis_options(syntax.options, kSensitivityFolder);
  auto add = syntax.options.add_options();
  add("placement", po::value<std::string>()->value_name("X,Y[,T]"),
      "the placement that the robot aims at (mm, mm, rad)");
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "standard deviations of its errors in x and y (one for both)");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "standard deviation of the angle, on a map with several angles (default: 0)");
  add("halved-trials", po::value<std::string>()->value_name("N"),
      "simulate N trials as it is and with each law half as wide; 0: none (default: 10000 when the "
      "run has uncertain numbers, else 0)");
  add("threads", po::value<std::string>()->value_name("N"),
      "threads (default: all of the machine)");
  add("quiet", "no progress");
  return syntax;
}

bool holds(double min, double max, double value) { return min <= value && value <= max; }

void read_angle(const Arguments& arguments, const PlacementSweep& grid,
                const std::vector<double>& place, AimedPlacement& aim) {
  if (place.size() < 3) {
    if (arguments.has("angle-sigma-rad")) {
      arguments.fail(
          "--angle-sigma-rad is of an angle; give it as the third number of --placement");
    }
    return;
  }
  if (grid.theta_rad.is_fixed()) {
    arguments.fail("--placement: the run has one angle only; give X,Y");
  }
  if (!holds(grid.theta_rad.min, grid.theta_rad.max, place[2])) {
    arguments.fail(fmt::format("--placement: the angle {} is not on the map; must be from {} to {}",
                               place[2], grid.theta_rad.min, grid.theta_rad.max));
  }
  aim.theta_rad = place[2];
  if (arguments.has("angle-sigma-rad")) {
    aim.sigma_theta_rad = arguments.number_at_least("angle-sigma-rad", 0);
  }
}

std::optional<AimedPlacement> read_aim(const Arguments& arguments, const PlacementSweep& grid) {
  if (!arguments.has("placement") && !arguments.has("position-sigma-mm") &&
      !arguments.has("angle-sigma-rad")) {
    return std::nullopt;
  }
  if (!arguments.has("placement") || !arguments.has("position-sigma-mm")) {
    arguments.fail("--placement and --position-sigma-mm belong together");
  }
  const std::vector<double> place = arguments.numbers("placement");
  if (place.size() != 2 && place.size() != 3) {
    arguments.fail(
        fmt::format("--placement: '{}'; must be X,Y or X,Y,T", arguments.text("placement")));
  }
  if (!holds(grid.x_mm.min, grid.x_mm.max, place[0]) ||
      !holds(grid.y_mm.min, grid.y_mm.max, place[1])) {
    arguments.fail(fmt::format(
        "--placement: '{}' is not on the map; must be x from {} to {}, y from {} to {} mm",
        arguments.text("placement"), grid.x_mm.min, grid.x_mm.max, grid.y_mm.min, grid.y_mm.max));
  }
  const auto [sigma_x_mm, sigma_y_mm] = read_position_sigma(arguments);
  AimedPlacement aim{place[0], place[1], sigma_x_mm, sigma_y_mm};
  read_angle(arguments, grid, place, aim);
  return aim;
}

std::vector<TrialSample> read_samples(const RunStore& store) {
  std::vector<TrialSample> samples = read_trial_samples(store);
  const bool any = std::any_of(samples.begin(), samples.end(), [](const TrialSample& sample) {
    return sample.outcome != Outcome::kFailed;
  });
  if (any) return samples;
  throw ConfigError(fmt::format("{}: the run has no trials that say anything yet",
                                run_of(store.file()).string()));
}

/// How many trials are simulated with each law: none where nobody asks and this program cannot.
std::int64_t read_halved_trials(const Arguments& arguments, const SweepConfig& config) {
  const StepperKind stepper = config.scenario.stepper;
  const bool by_default = !config.uncertain.empty() && has_stepper(stepper);
  const int trials =
      arguments.count("halved-trials", by_default ? kHalvedTrials : 0, 0, kMostHalvedTrials);
  if (trials > 0 && !has_stepper(stepper)) {
    arguments.fail(fmt::format("--halved-trials: only {} has the time-stepper of this run",
                               program_with(stepper)));
  }
  return trials;
}

/// What an emulator need not tell where trials are simulated anyway.
void add_simulated(const SweepConfig& config, const SetsEffort& effort, Sensitivity& result) {
  result.halved = simulate_halved_inputs(config, result.inputs, effort);
  if (result.whole.state != SensitivityState::kKnown) return;
  const TotalEffects totals = simulate_totals(config, result.inputs, effort);
  if (totals.inputs.empty()) return;
  for (std::size_t k = 0; k < totals.inputs.size(); ++k) {
    result.whole.inputs[k].total = totals.inputs[k];
  }
  for (std::size_t g = 0; result.groups && g < totals.groups.size(); ++g) {
    result.groups->groups[g].effect.total = totals.groups[g];
  }
  result.total_trials = effort.trials;
}

Analysis analyse_uncertainties(const Arguments& arguments, const AnalysisWatch& watch) {
  const double confidence = read_confidence(arguments);
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const auto aim = read_aim(arguments, store.config().placement);
  const std::int64_t halved_trials = read_halved_trials(arguments, store.config());
  Sensitivity result = analyse_sensitivity(store.config(), read_samples(store), aim, confidence);
  if (halved_trials > 0) {
    add_simulated(store.config(), {halved_trials, confidence, arguments.threads(), watch.trials},
                  result);
  }
  std::vector<AnalysisFile> files = {{"sensitivity.csv", sensitivity_csv(result)},
                                     {"sensitivity.json", sensitivity_json(result, confidence)}};
  if (result.halved) files.push_back({"halved.csv", halved_csv(result)});
  return {sensitivity_text(result, confidence), "",
          analysis_folder(arguments, file.parent_path(), kSensitivityFolder), std::move(files),
          sensitivity_figures(result, confidence)};
}

}  // namespace

AnalysisCommand sensitivity_analysis() { return {sensitivity_syntax(), analyse_uncertainties}; }

}  // namespace graspmap
