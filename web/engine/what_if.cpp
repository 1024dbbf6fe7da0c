#include "web/engine/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grasp/base/io/result.hpp"
#include "grasp/decide/difference/run_difference.hpp"
#include "grasp/decide/plan/expected_success.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"

namespace graspmap {
namespace {

PlacementError error_of(const PlacementVector& sigma) {
  return {normal_error(sigma[0]), normal_error(sigma[1]), normal_error(sigma[2])};
}

/// What is wrong with a map that the stored trials hardly cover; empty when nothing is.
std::string warning_of(const ReweightedMap& map) {
  if (!(map.median_effective_trials() >= map.least_trials())) {
    return fmt::format("Cells of fewer than {} get no number: simulate these distributions.",
                       map.least_trials());
  }
  if (map.pareto_shape > kMostParetoShape) {
    return "A few trials decide: do not trust this map, simulate these distributions.";
  }
  return "";
}

}  // namespace

std::vector<double> expected_at_centers(const SuccessField& field, const PlacementVector& sigma,
                                        int cell_theta) {
  const auto& [x, y, theta] = field.axes();
  PlacementGrid centers;
  for (int i = 0; i < x.cells; ++i) centers.values[0].push_back(x.cell_center(i));
  for (int j = 0; j < y.cells; ++j) centers.values[1].push_back(y.cell_center(j));
  centers.values[2] = {theta.cell_center(cell_theta)};
  return expected_success_on(field, error_of(sigma), centers);
}

std::string expected_json(const SuccessField& field, const PlacementVector& sigma,
                          const PlacementVector& at) {
  const ExpectedSuccess success = expected_success(field, error_of(sigma), at);
  return json_text(
      Object{{"success_probability", success.probability}, {"interval", success.interval}});
}

std::string best_placement_json(const SweepConfig& config, const SuccessField& field,
                                const PlacementVector& sigma) {
  PlanQuestion question;
  RobotError& error = question.error.emplace();
  error.position_sigma_mm = {sigma[0], sigma[1]};
  if (!field.axes()[2].is_fixed()) error.angle_sigma_rad = sigma[2];
  question.plateau_probability = config.plateau_probability;
  const std::optional<PlannedPlacement> best = first_placement(field, question);
  if (!best) return "null";
  return json_text(Object{{"x_mm", best->at[0]},
                          {"y_mm", best->at[1]},
                          {"theta_rad", best->at[2]},
                          {"success_probability", best->success.probability},
                          {"interval", best->success.interval},
                          {"judged_sigma", best->judged_with}});
}

std::string reweighted_json(const RunStore& run, const std::vector<std::string>& distributions) {
  const SweepConfig wanted = with_other_distributions(run.config_toml(), distributions);
  const InputChange change(run.config(), wanted, distributions, "a run with these distributions");
  const ReweightedMap map = reweight_trials(run, change);
  const auto each = [&](const auto& number) { return list_of(map.cells, number); };
  return json_text(Object{
      {"effective_trials", map.effective_trials},
      {"median_effective_trials_of_cells", map.median_effective_trials()},
      {"pareto_k", map.pareto_shape},
      {"warning", warning_of(map)},
      {"cells",
       Object{{"success_probability",
               each([](const WeightedCell& cell) { return cell.success_probability(); })},
              {"low", each([](const WeightedCell& cell) { return cell.success_interval().low; })},
              {"high", each([](const WeightedCell& cell) { return cell.success_interval().high; })},
              {"effective_trials",
               each([](const WeightedCell& cell) { return cell.effective_trials(); })}}}});
}

std::string difference_json(const RunStore& before, const RunStore& run) {
  const RunDifference found = compare_runs(before, run, {});
  const auto value = [](const CellDifference& cell) { return cell.difference.value; };
  const auto is_known = [&](const CellDifference& cell) { return !std::isnan(value(cell)); };
  return json_text(
      Object{{"cells", std::count_if(found.cells.begin(), found.cells.end(), is_known)},
             {"mean", found.whole.difference.value},
             {"interval", found.whole.difference.interval},
             {"better", found.significant_cells(1)},
             {"worse", found.significant_cells(-1)},
             {"values", list_of(found.cells, value)}});
}

}  // namespace graspmap
