#include <fmt/format.h>

#include <iostream>

#include "grasp/analysis/plan/placement_plan.hpp"
#include "grasp/analysis/plan/plan_figure.hpp"
#include "grasp/commands/analysis_options.hpp"
#include "grasp/commands/analysis_results.hpp"
#include "grasp/commands/commands.hpp"
#include "grasp/commands/placement_options.hpp"
#include "grasp/io/number.hpp"
#include "grasp/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr const char* kPlanFolder = "plan";

CommandSyntax plan_syntax() {
  CommandSyntax syntax{
      "plan", "RUNDIR",
      "Finds where to put the gripper when the robot does not reach the placement exactly: the\n"
      "nominal placement with the highest success probability under its positioning error,\n"
      "other good ones well apart from it, and the outcomes that keep each from succeeding\n"
      "always. With --required-probability, finds the largest error under which the best\n"
      "placement still succeeds that often.\n"
      "The errors in x, y and theta are independent. They add to the placement noise of\n"
      "the sweep, if it has any. Where an error reaches beyond the map, a grasp counts\n"
      "as no success.\n",
      "  graspmap plan outputs/lock_piece --position-sigma-mm 2,2\n"
      "  graspmap plan outputs/lock_piece --required-probability 0.99\n"
      "  graspmap plan outputs/lock_piece --position-sigma-mm 2,1 --required-probability 0.95\n"};
  auto add = syntax.options.add_options();
  add("position-sigma-mm", po::value<std::string>()->value_name("SX,SY"),
      "standard deviations of the error in x and y (one number for both); 0: exact, the trials of "
      "its cell");
  add("angle-sigma-rad", po::value<std::string>()->value_name("S"),
      "standard deviation of the angle's error, for a sweep over angles (default: 0, exact)");
  add("required-probability", po::value<std::string>()->value_name("P"),
      "find the largest errors that still allow P: a normal one in the proportions of "
      "--position-sigma-mm (or equal in x and y), and a uniform one in a square");
  add_analysis_options(syntax.options, kPlanFolder);
  return syntax;
}

double read_required(const Arguments& arguments) {
  const std::optional<double> value = parse_number(arguments.text("required-probability"));
  if (!value || !(*value > 0 && *value < 1)) {
    arguments.fail(fmt::format("--required-probability: '{}'; must be a number above 0 and below 1",
                               arguments.text("required-probability")));
  }
  return *value;
}

PlanRequest read_plan_request(const Arguments& arguments) {
  PlanRequest request;
  request.confidence = read_confidence(arguments);
  if (arguments.has("position-sigma-mm")) {
    request.position_sigma_mm = read_position_sigma(arguments);
  }
  if (arguments.has("required-probability")) {
    request.required_probability = read_required(arguments);
  }
  if (!request.position_sigma_mm && !request.required_probability) {
    arguments.fail(
        "give --position-sigma-mm SX,SY (how far the robot is off), or --required-probability P "
        "(the success that the placement must reach)");
  }
  if (request.required_probability && request.position_sigma_mm &&
      *request.position_sigma_mm == std::array{0.0, 0.0}) {
    arguments.fail(
        "--position-sigma-mm: '0,0' has no proportions for --required-probability; must have a "
        "number above 0");
  }
  return request;
}

}  // namespace

int plan_command(const std::vector<std::string>& args) {
  const Arguments arguments(plan_syntax(), args);
  if (arguments.help_printed()) return 0;
  PlanRequest request = read_plan_request(arguments);
  const fs::path store_path = store_file(arguments.operand());
  const RunStore store = RunStore::open(store_path, RunStore::Access::kRead);
  const SweepConfig& config = store.config();
  request.angle_sigma_rad = read_angle_sigma(arguments, !config.placement.theta_rad.is_fixed());
  const SuccessField field(config.placement.axes(), read_trial_samples(store));
  if (field.trials() == 0) {
    throw ConfigError(fmt::format("{}: has no trials yet", store_path.string()));
  }
  PlacementPlan plan = make_plan(field, request);
  plan.name = config.name;
  plan.has_noise = has_placement_noise(config.placement);
  tell_missing_trials(store, field.trials());
  std::cout << plan_text(plan);
  save_analysis(analysis_folder(arguments, store_path.parent_path(), kPlanFolder),
                {{"plan.json", plan_json(plan)}, {"plan.csv", plan_csv(plan)}},
                {plan_figure(plan, field)}, !arguments.has("no-plots"));
  return 0;
}

}  // namespace graspmap
