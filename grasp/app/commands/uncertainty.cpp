#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/decide/reweight/reweight_report.hpp"
#include "grasp/decide/sensitivity/sensitivity_report.hpp"
#include "grasp/decide/sensitivity/simulated_sets.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

constexpr int kHalvedTrials = 10'000;
constexpr int kMostHalvedTrials = 10'000'000;

CommandSyntax sensitivity_syntax() {
  return {
      "sensitivity",
      "RUNDIR",
      "Tells which uncertainty matters: how much of the variance of success comes from the\n"
      "position, how much from the friction, how much from the tolerances of the part, of the\n"
      "gripper and of the support, and how much from each random input, alone and together\n"
      "with others (Sobol indices with intervals). Answers for the whole map, or for the normal\n"
      "errors of a robot around a placement, and for each cell. An emulator learns from the\n"
      "stored trials: no trials are run for this.\n"
      "A share does not say what a tighter tolerance is worth. With --halved-trials trials are\n"
      "simulated with one distribution at a time half as wide about its centre (sigma, or the\n"
      "range), all with the same random numbers: success as it is, and with each one halved; and\n"
      "with each input drawn anew, which gives its total effect. That is the default for runs\n"
      "with [uncertain] numbers.\n"
      "Writes sensitivity.csv (the cells), sensitivity.json, halved.csv and figures.\n",
      "  graspmap sensitivity outputs/lock_piece\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2\n"
      "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2 \\\n"
      "      --halved-trials 20000                          # and the value of tightening\n",
      {{"placement X,Y[,T]", "the placement that the robot aims at (mm, mm, rad)"},
       {"position-sigma-mm SX,SY", "standard deviations of its errors in x and y (one for both)"},
       {"angle-sigma-rad S",
        "standard deviation of the angle, on a map with several angles (default: 0)"},
       {"halved-trials N",
        "simulate N trials as it is and with each distribution half as wide; 0: none (default: "
        "10000 when the run has uncertain numbers, else 0)"},
       {"threads N", "threads (default: all of the machine)"},
       {"quiet", "no progress"}}};
}

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
  if (!grid.theta_rad.contains(place[2])) {
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
    arguments.refuse("placement", "X,Y or X,Y,T");
  }
  if (!grid.x_mm.contains(place[0]) || !grid.y_mm.contains(place[1])) {
    arguments.fail(fmt::format(
        "--placement: {} is not on the map; must be x from {} to {}, y from {} to {} mm",
        arguments.shown("placement"), grid.x_mm.min, grid.x_mm.max, grid.y_mm.min, grid.y_mm.max));
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

/// How many trials are simulated with each law.
std::int64_t read_halved_trials(const Arguments& arguments, const SweepConfig& config) {
  return arguments.count("halved-trials", config.uncertain.empty() ? 0 : kHalvedTrials, 0,
                         kMostHalvedTrials);
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
  const RunStore store = open_stored_run(arguments);
  const auto aim = read_aim(arguments, store.config().placement);
  const std::int64_t halved_trials = read_halved_trials(arguments, store.config());
  Sensitivity result = analyse_sensitivity(store.config(), read_samples(store), aim, confidence);
  if (halved_trials > 0) {
    add_simulated(store.config(), {halved_trials, confidence, arguments.threads(), watch.trials},
                  result);
  }
  std::vector<AnalysisFile> files = {{"sensitivity.csv", sensitivity_table(result)},
                                     {"sensitivity.json", sensitivity_fields(result, confidence)}};
  if (result.halved) files.push_back({"halved.csv", halved_table(result)});
  return {sensitivity_text(result, confidence), std::move(files),
          sensitivity_figures(result, confidence)};
}

}  // namespace

AnalysisCommand sensitivity_analysis() {
  return {sensitivity_syntax(), "RUNDIR/sensitivity", analyse_uncertainties};
}

namespace {

CommandSyntax tolerances_syntax() {
  return {
      "tolerances",
      "RUNDIR",
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
      "      --costs costs.toml --position-sigma-mm 1.5\n",
      {{"at X,Y[,THETA]", "the placement in mm and rad, THETA for a sweep over angles"},
       {"required-probability P", "how often a grasp must succeed, above 0 and below 1"},
       {"costs FILE", "TOML: the widths that are offered, and their costs"},
       {"position-sigma-mm SX,SY",
        "standard deviations of the robot's error in x and y (one number for both; default: 0)"},
       {"angle-sigma-rad S",
        "standard deviation of the angle's error, for a sweep over angles (default: 0)"},
       {"trials N", "grasps for each set of widths in the search, 250 to 1000000 (default: 4000)"},
       {"check-trials N", "grasps for the check, 250 to 10000000 (default: 20000)"},
       {"seed N", "of the grasps (default: 1)"},
       {"threads N", "threads (default: all)"},
       {"quiet", "show no progress"}}};
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
  const RunStore store = open_stored_run(arguments);
  const SweepConfig& config = store.config();
  question.aim = read_aim_and_robot(arguments, config.placement);
  const std::vector<ToleranceInput> inputs = tolerance_inputs(config, question.aim);
  if (inputs.empty()) {
    throw ConfigError(fmt::format(
        "{}: all inputs are exact: there is no tolerance to share; must have a law in [uncertain], "
        "[friction] or [placement.noise], or --position-sigma-mm",
        run_of(store.file()).string()));
  }
  const CostFile costs = read_cost_file(arguments.text("costs"), inputs);
  const int threads = arguments.threads();
  ToleranceBudget budget = share_budget(
      inputs, costs, question,
      [&](std::uint64_t seed) { return simulated_widths(config, question.aim, seed, threads); },
      watch.share);
  budget.name = config.name;
  return {budget_text(budget),
          {{"tolerances.json", budget_fields(budget)}, {"tolerances.csv", budget_table(budget)}},
          {budget_figure(budget)}};
}

}  // namespace

AnalysisCommand tolerances_analysis() {
  return {tolerances_syntax(), "RUNDIR/tolerances", analyse_tolerances};
}

namespace {

CommandSyntax reweight_syntax() {
  return {
      "reweight",
      "RUNDIR",
      "Shows the map of a run under other distributions of friction, of the placement noise, or\n"
      "of the run's [uncertain] numbers, without new simulations: each stored trial gets a\n"
      "weight, how much likelier its draws are under the new distributions. Tells how many new\n"
      "trials the stored ones are worth, and refuses distributions that they do not cover. Run a\n"
      "sweep with broad distributions once, and narrow them here.\n",
      "  graspmap reweight outputs/lock_piece \\\n"
      "      --set 'friction.jaw={ distribution = \"uniform\", min = 0.1, max = 0.2 }'\n"
      "  graspmap reweight outputs/lock_piece --set friction.jaw.max=0.2     # one key of one\n"
      "  graspmap reweight outputs/lock_piece \\\n"
      "      --set friction.jaw.max=0.2 --set friction.support.min=0.3\n"
      "  graspmap reweight outputs/uncertain --set part.mass_kg.sigma=0.001  # a number of the "
      "part\n",
      {{"set KEY=LAW ...",
        "another distribution (may be repeated): friction.jaw, friction.support or "
        "placement.noise.x_mm, .y_mm, .theta_rad, or the key of an "
        "uncertain number, as for `graspmap run`"}}};
}

/// Refuses a map that says nothing.
void check_worth(const Arguments& arguments, const ReweightedMap& map) {
  if (!(map.median_effective_trials() >= kLeastEffectiveTrials)) {
    arguments.fail(fmt::format(
        "the stored trials are worth {:.1f} trials in the median cell under the new distributions; "
        "must be {} or more: take broader ones, extend the run (graspmap run --trials-per-cell), "
        "or "
        "simulate them (graspmap run --set)",
        map.median_effective_trials(), kLeastEffectiveTrials));
  }
  if (map.pareto_shape > kMostParetoShape) {
    arguments.fail(fmt::format(
        "a few stored trials would decide: their weights have a tail of k = {:.2f}; must be {} or "
        "less: the new distributions reach too far into the tails of the stored ones; simulate "
        "them "
        "(graspmap run --set)",
        map.pareto_shape, kMostParetoShape));
  }
}

Analysis analyse_reweighting(const Arguments& arguments, const AnalysisWatch& /*watch*/) {
  const double confidence = read_confidence(arguments);
  const std::vector<std::string> overrides = arguments.texts("set");
  if (overrides.empty()) arguments.fail("--set is missing; give at least one other distribution");
  const RunStore store = open_stored_run(arguments);
  const SweepConfig wanted = with_other_laws(store.config_toml(), overrides);
  const LawChange change(store.config(), wanted, overrides);
  const ReweightedMap map = reweight_trials(store, change);
  check_worth(arguments, map);
  const Reweighting result{store.config(), wanted, change, map, confidence};
  return {reweight_text(result),
          {{"reweight.json", reweight_fields(result)}, {"map.csv", reweighted_map_table(result)}},
          {reweight_figure(result)}};
}

}  // namespace

AnalysisCommand reweight_analysis() {
  return {reweight_syntax(), "RUNDIR/reweight", analyse_reweighting};
}

}  // namespace graspmap
