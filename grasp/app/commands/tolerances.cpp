#include <fmt/format.h>

#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/analysis_options.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/tolerances/budget_report.hpp"
#include "grasp/decide/tolerances/simulated_widths.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kTolerancesFolder = "tolerances";

CommandSyntax tolerances_syntax() {
  CommandSyntax syntax{
      "tolerances", "RUNDIR",
      "Shares a budget: which tolerances to tighten, and which to give away, so that a grasp at\n"
      "one placement succeeds often enough for the least money. A tolerance is the width of\n"
      "the law of a random input of the run: an uncertain number, friction, placement noise,\n"
      "the robot's error (robot.x_mm, robot.y_mm, robot.theta_rad). The file of costs says\n"
      "which widths are offered, and for how much; inputs that it does not name stay as they\n"
      "are:\n"
      "  unit = \"EUR\"\n"
      "  [[input]]\n"
      "  key = \"friction.jaw\"\n"
      "  grades = [[0.15, 0], [0.1, 0.4], [0.05, 1.5]]     # half width, cost\n"
      "  [[input]]\n"
      "  keys = [\"robot.x_mm\", \"robot.y_mm\"]               # bought together\n"
      "  cost = 2                                          # of today's width; cost x\n"
      "  exponent = 1                                      # (today's width / width)^exponent\n"
      "The width is the half width of a uniform law, else the standard deviation. Grasps are\n"
      "simulated anew, with the same random numbers under all widths; other grasps check the\n"
      "set that is found. Writes tolerances.json, tolerances.csv and a figure.\n",
      "  graspmap tolerances outputs/lock_piece --at 0,-10 --required-probability 0.95 \\\n"
      "      --costs costs.toml\n"
      "  graspmap tolerances outputs/lock_piece --at 0,-10 --required-probability 0.95 \\\n"
      "      --costs costs.toml --position-sigma-mm 1.5\n"};
  auto add = syntax.options.add_options();
  add("at", po::value<std::string>()->value_name("X,Y[,THETA]"),
      "the placement in mm and rad, THETA for a sweep over angles");
  add("required-probability", po::value<std::string>()->value_name("P"),
      "how often a grasp must succeed, above 0 and below 1");
  add("costs", po::value<std::string>()->value_name("FILE"),
      "TOML: the widths that are offered, and their costs");
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "standard deviations of the robot's error in x and y (one number for both; default: 0)");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "standard deviation of the angle's error, for a sweep over angles (default: 0)");
  add("trials", po::value<std::string>()->value_name("N"),
      "grasps for each set of widths in the search, 250 to 1000000 (default: 4000)");
  add("check-trials", po::value<std::string>()->value_name("N"),
      "grasps for the check, 250 to 10000000 (default: 20000)");
  add("seed", po::value<std::string>()->value_name("N"), "of the grasps (default: 1)");
  add("threads", po::value<std::string>()->value_name("N"), "threads (default: all)");
  add("quiet", "show no progress");
  add_analysis_options(syntax.options, kTolerancesFolder);
  return syntax;
}

void require_option(const Arguments& arguments, const char* option, const char* value) {
  if (!arguments.has(option)) arguments.fail(fmt::format("give --{} {}", option, value));
}

BudgetQuestion read_budget_question(const Arguments& arguments) {
  require_option(arguments, "at", "X,Y (where the gripper is put)");
  require_option(arguments, "required-probability", "P (how often a grasp must succeed)");
  require_option(arguments, "costs", "FILE (the widths that are offered, and their costs)");
  BudgetQuestion question;
  question.required = read_required_probability(arguments);
  question.confidence = read_confidence(arguments);
  question.trials = arguments.count("trials", 4000, 250, 1'000'000);
  question.check_trials = arguments.count("check-trials", 20'000, 250, 10'000'000);
  question.seed = static_cast<std::uint64_t>(arguments.count("seed", 1, 0, 1'000'000'000));
  return question;
}

AimAndRobot read_aim_and_robot(const Arguments& arguments, const CellGrid& grid) {
  AimAndRobot aim;
  aim.at = read_placement(arguments, "at", grid.axes());
  aim.fixed_angle = grid.theta_rad.is_fixed();
  if (arguments.has("position-sigma-mm")) {
    const auto [x, y] = read_position_sigma(arguments);
    aim.sigma = {x, y, 0.0};
  }
  aim.sigma[2] = read_angle_sigma(arguments, !aim.fixed_angle);
  return aim;
}

Analysis analyse_tolerances(const Arguments& arguments, const AnalysisWatch& watch) {
  BudgetQuestion question = read_budget_question(arguments);
  const fs::path file = store_file(arguments.operand());
  const RunStore store = RunStore::open(file, RunStore::Access::kRead);
  const SweepConfig& config = store.config();
  question.aim = read_aim_and_robot(arguments, config.placement);
  check_can_simulate(config, run_of(file), "tolerances");
  const std::vector<ToleranceInput> inputs = tolerance_inputs(config, question.aim);
  if (inputs.empty()) {
    throw ConfigError(fmt::format(
        "{}: all inputs are exact: there is no tolerance to share; must have a law in [uncertain], "
        "[friction] or [placement.noise], or --position-sigma-mm",
        run_of(file).string()));
  }
  const CostFile costs = read_cost_file(arguments.text("costs"), inputs);
  const int threads = arguments.threads();
  ToleranceBudget budget = share_budget(
      inputs, costs, question,
      [&](std::uint64_t seed) { return simulated_widths(config, question.aim, seed, threads); },
      watch.share);
  budget.name = config.name;
  return {budget_text(budget),
          "",
          analysis_folder(arguments, file.parent_path(), kTolerancesFolder),
          {{"tolerances.json", budget_json(budget)}, {"tolerances.csv", budget_csv(budget)}},
          {budget_figure(budget)}};
}

}  // namespace

AnalysisCommand tolerances_analysis() { return {tolerances_syntax(), analyse_tolerances}; }

}  // namespace graspmap
