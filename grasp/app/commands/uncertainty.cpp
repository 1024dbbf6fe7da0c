#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"

namespace graspmap {

namespace {

Analysis analyse_uncertainties(const std::vector<std::string>& operands,
                               const SensitivityRequest& request, const AnalysisWatch& watch) {
  const RunStore run = open_stored_run(operands.front());
  const Sensitivity result = sensitivity_run(run, request, watch.trials);
  const double confidence = request.confidence;
  std::vector<ResultFile> files = {{"sensitivity.csv", sensitivity_table(result)},
                                   {"sensitivity.json", sensitivity_fields(result, confidence)}};
  if (result.halved) files.push_back({"halved.csv", halved_table(result)});
  return {sensitivity_text(result, confidence), std::move(files),
          sensitivity_figures(result, run.config(), confidence)};
}

}  // namespace

AnalysisCommand sensitivity_analysis() {
  return {
      {"sensitivity", "report which uncertainty matters for success", "RUNDIR",
       "Reports which uncertainty matters: how much of the variance of success comes from the\n"
       "position, how much from the friction, how much from the tolerances of the part, of the\n"
       "gripper and of the support, and how much from each random input, alone and together\n"
       "with others (Sobol indices with intervals). Answers for the whole map, or for the normal\n"
       "errors of a robot around a placement, and for each cell. An emulator learns from the\n"
       "stored trials: no trials are run for this.\n"
       "A share does not say what a tighter tolerance is worth. With --halved-trials trials are\n"
       "simulated with one distribution at a time half as wide about its centre (sigma, or the\n"
       "range), all with the same random numbers: success as it is, and with each one halved; and\n"
       "with each input redrawn, which gives its total effect. That is the default for runs\n"
       "with [uncertain] numbers.\n"
       "Writes sensitivity.csv (the cells), sensitivity.json, halved.csv and figures.\n",
       "  graspmap sensitivity outputs/lock_piece\n"
       "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2\n"
       "  graspmap sensitivity outputs/lock_piece --placement 0,-7 --position-sigma-mm 2,2 \\\n"
       "      --halved-trials 20000                          # and the value of tightening\n"},
      "RUNDIR/sensitivity",
      analyse_uncertainties};
}

namespace {

Analysis analyse_tolerances(const std::vector<std::string>& operands,
                            const TolerancesRequest& request, const AnalysisWatch& watch) {
  const ToleranceBudget budget =
      tolerances_run(open_stored_run(operands.front()), request, watch.share);
  return {budget_text(budget),
          {{"tolerances.json", budget_fields(budget)}, {"tolerances.csv", budget_table(budget)}},
          {budget_figure(budget)}};
}

}  // namespace

AnalysisCommand tolerances_analysis() {
  return {
      {"tolerances", "share a budget: which tolerances to tighten for the least money", "RUNDIR",
       "Shares a budget: which tolerances to tighten, and which to give away, so that a grasp at\n"
       "one placement succeeds often enough for the least money. A tolerance is the width of\n"
       "the distribution of a random input of the run: an uncertain number, friction, placement\n"
       "noise, the robot's error (robot.x_mm, robot.y_mm, robot.theta_rad). The file of costs\n"
       "says which widths are offered, and for how much; inputs that it does not name stay as\n"
       "they are:\n"
       "  unit = \"EUR\"\n"
       "  [[input]]\n"
       "  key = \"friction.jaw\"\n"
       "  grades = [[0.15, 0], [0.1, 0.4], [0.05, 1.5]]     # half width, cost\n"
       "  [[input]]\n"
       "  keys = [\"robot.x_mm\", \"robot.y_mm\"]               # bought together\n"
       "  cost = 2                                          # of today's width; cost x\n"
       "  exponent = 1                                      # (today's width / width)^exponent\n"
       "The width is the half width of a uniform distribution, else the standard deviation.\n"
       "Grasps are simulated again, with the same random numbers under all widths; other grasps\n"
       "check the set that is found. Writes tolerances.json, tolerances.csv and a figure.\n",
       "  graspmap tolerances outputs/lock_piece --placement 0,-10 --required-probability 0.95 \\\n"
       "      --costs costs.toml\n"
       "  graspmap tolerances outputs/lock_piece --placement 0,-10 --required-probability 0.95 \\\n"
       "      --costs costs.toml --position-sigma-mm 1.5\n"},
      "RUNDIR/tolerances",
      analyse_tolerances};
}

namespace {

Analysis analyse_reweighting(const std::vector<std::string>& operands,
                             const ReweightRequest& request, const AnalysisWatch& /*watch*/) {
  const RunStore run = open_stored_run(operands.front());
  const Reweighting result = reweight_run(run, request);
  return {reweight_text(result),
          {{"reweight.json", reweight_fields(result)}, {"map.csv", reweighted_map_table(result)}},
          {reweight_figure(result)}};
}

}  // namespace

AnalysisCommand reweight_analysis() {
  return {
      {"reweight", "show the map of a run under other distributions, without new simulations",
       "RUNDIR",
       "Shows the map of a run under other distributions of friction, of the placement noise, or\n"
       "of the run's [uncertain] numbers, without new simulations: each stored trial gets a\n"
       "weight, how much more likely its draws are under the new distributions. Reports how many\n"
       "new trials the stored ones are worth, and refuses distributions that they do not cover.\n"
       "Run a sweep with broad distributions once, and narrow them here.\n",
       "  graspmap reweight outputs/lock_piece \\\n"
       "      --set 'friction.jaw={ distribution = \"uniform\", min = 0.1, max = 0.2 }'\n"
       "  graspmap reweight outputs/lock_piece --set friction.jaw.max=0.2     # one key of one\n"
       "  graspmap reweight outputs/lock_piece \\\n"
       "      --set friction.jaw.max=0.2 --set friction.support.min=0.3\n"
       "  graspmap reweight outputs/uncertain --set part.mass_kg.sigma=0.001  # a number of the "
       "part\n"},
      "RUNDIR/reweight",
      analyse_reweighting};
}

}  // namespace graspmap
