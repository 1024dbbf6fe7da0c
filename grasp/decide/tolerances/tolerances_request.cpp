#include "grasp/base/io/errors.hpp"
#include "grasp/decide/requests/independent_error.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/tolerances/tolerance_budget.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

RequestFields TolerancesRequest::fields() {
  return {
      placement_field("placement X,Y[,THETA]", placement,
                      "the placement in mm and rad, THETA for a sweep over angles"),
      required_probability_field(required_probability,
                                 "how often a grasp must succeed, above 0 and below 1"),
      text_field("costs FILE", costs, "TOML: the widths that are offered, and their costs"),
      position_sigma_field(position_sigma_mm,
                           "standard deviations of the robot's error in x and y (one number for "
                           "both; default: the run's [robot], else 0)"),
      angle_sigma_field(
          angle_sigma_rad,
          "standard deviation of the angle's error, for a sweep over angles (default: 0)"),
      count_field("trials N", trials, 250, 1'000'000,
                  "grasps for each set of widths in the search, 250 to 1000000 (default: 4000)"),
      count_field("check-trials N", check_trials, 250, 10'000'000,
                  "grasps for the check, 250 to 10000000 (default: 20000)"),
      seed_field(seed, "of the grasps"),
      threads_field(threads),
      confidence_field(confidence)};
}

namespace {

BudgetQuestion question_of(const TolerancesRequest& request, const SweepConfig& config) {
  const CellGrid& grid = config.placement;
  if (request.placement.empty()) {
    throw RequestError("placement", "missing", "X,Y, where the gripper is put");
  }
  if (!request.required_probability) {
    throw RequestError("required-probability", "missing",
                       "the probability at which a grasp must succeed");
  }
  if (request.costs.empty()) {
    throw RequestError("costs", "missing",
                       "a file of the widths that are offered, and their costs");
  }
  const AimAndRobot aim{
      on_map(request.placement, "placement", grid.axes()),
      independent_error(request.position_sigma_mm, request.angle_sigma_rad, config),
      grid.theta_rad.is_fixed()};
  return {aim,
          *request.required_probability,
          request.confidence,
          request.trials,
          request.check_trials,
          request.seed};
}

}  // namespace

ToleranceBudget tolerances_run(const RunStore& run, const TolerancesRequest& request,
                               const std::function<void(double)>& show) {
  const SweepConfig& config = run.config();
  const BudgetQuestion question = question_of(request, config);
  const std::vector<ToleranceInput> inputs = tolerance_inputs(config, question.aim);
  if (inputs.empty()) {
    throw config_error(
        {run_of(run.file()).string()}, "",
        "all inputs are exact: there is no tolerance to share; must have a distribution in "
        "[uncertain], [friction] or [placement.noise], [robot], or --position-sigma-mm");
  }
  const auto sample = [&](std::uint64_t seed) {
    return simulated_widths(config, question.aim, seed, request.threads);
  };
  ToleranceBudget budget =
      share_budget(inputs, read_cost_file(request.costs, inputs), question, sample, show);
  budget.name = config.name;
  budget.title = run_title(config.name, run.file());
  return budget;
}

}  // namespace graspmap
