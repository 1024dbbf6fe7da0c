#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grasp/analysis/sensitivity/sensitivity_figures.hpp"
#include "grasp/analysis/sensitivity/sensitivity_report.hpp"
#include "grasp/commands/analysis.hpp"
#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/commands.hpp"
#include "grasp/commands/placement_options.hpp"
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
      "position, how much from the friction, and how much from each random input, alone and\n"
      "together with others (Sobol indices with intervals). Answers for the whole map, or for\n"
      "the normal errors of a robot around a placement, and for each cell. Runs no trials: an\n"
      "emulator learns from the stored ones. Writes sensitivity.csv (the cells),\n"
      "sensitivity.json and figures.\n",
      "  graspmap sensitivity outputs/lock_piece\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2\n"};
  add_analysis_options(syntax.options, kSensitivityFolder);
  auto add = syntax.options.add_options();
  add("placement", po::value<std::string>()->value_name("X,Y[,T]"),
      "the placement that the robot aims at (mm, mm, rad)");
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "standard deviations of its errors in x and y (one for both)");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "standard deviation of the angle, on a map with several angles (default: 0)");
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

Analysis analyse_uncertainties(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const double confidence = read_confidence(arguments);
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const auto aim = read_aim(arguments, store.config().placement);
  const Sensitivity result =
      analyse_sensitivity(store.config(), read_samples(store), aim, confidence);
  return {sensitivity_text(result, confidence),
          "",
          analysis_folder(arguments, file.parent_path(), kSensitivityFolder),
          {{"sensitivity.csv", sensitivity_csv(result)},
           {"sensitivity.json", sensitivity_json(result, confidence)}},
          sensitivity_figures(result, confidence)};
}

}  // namespace

AnalysisCommand sensitivity_analysis() { return {sensitivity_syntax(), analyse_uncertainties}; }

}  // namespace graspmap
