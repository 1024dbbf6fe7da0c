#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "grasp/analysis/sensitivity/sensitivity_figures.hpp"
#include "grasp/analysis/sensitivity/sensitivity_report.hpp"
#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/analysis_results.hpp"
#include "grasp/commands/commands.hpp"
#include "grasp/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kSensitivityFolder = "sensitivity";

CommandSyntax sensitivity_syntax() {
  CommandSyntax syntax{
      "sensitivity", "RUNDIR",
      "Tells which uncertainty matters: how much of the variance of success comes from the\n"
      "position, how much from the friction, and from each random input by itself and together\n"
      "with others (Sobol indices, with intervals): over the whole map, or around a placement "
      "with\n"
      "the robot's normal errors; and in each cell. No trials are run: what matters is learnt "
      "from\n"
      "those that are there. Writes sensitivity.csv (cells), sensitivity.json and figures.\n",
      "  graspmap sensitivity outputs/lock_piece\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2\n",
      po::options_description("Options")};
  add_analysis_options(syntax.options, kSensitivityFolder);
  auto add = syntax.options.add_options();
  add("placement", po::value<std::string>()->value_name("X,Y[,T]"),
      "the placement that the robot aims at, in mm, and the angle in rad");
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "the standard deviations of its normal errors; one number for both");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "that of the angle, on a map with several angles (default: 0)");
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
    aim.sigma_theta_rad = read_number_at_least(arguments, "angle-sigma-rad", 0);
  }
}

void read_sigma(const Arguments& arguments, AimedPlacement& aim) {
  const std::vector<double> sigma = arguments.numbers("position-sigma-mm");
  if (sigma.size() > 2 || sigma.front() < 0 || sigma.back() < 0) {
    arguments.fail(fmt::format("--position-sigma-mm: '{}'; must be SX,SY or one number, each >= 0",
                               arguments.text("position-sigma-mm")));
  }
  aim.sigma_x_mm = sigma.front();
  aim.sigma_y_mm = sigma.back();
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
  AimedPlacement aim{place[0], place[1]};
  read_sigma(arguments, aim);
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

}  // namespace

int sensitivity_command(const std::vector<std::string>& args) {
  const Arguments arguments(sensitivity_syntax(), args);
  if (arguments.help_printed()) return 0;
  const double confidence = read_confidence(arguments);
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const auto aim = read_aim(arguments, store.config().placement);
  const Sensitivity result =
      analyse_sensitivity(store.config(), read_samples(store), aim, confidence);
  std::cout << sensitivity_text(result, confidence);
  save_analysis(analysis_folder(arguments, file.parent_path(), kSensitivityFolder),
                {{"sensitivity.csv", sensitivity_csv(result)},
                 {"sensitivity.json", sensitivity_json(result, confidence)}},
                sensitivity_figures(result, confidence), !arguments.has("no-plots"));
  return 0;
}

}  // namespace graspmap
