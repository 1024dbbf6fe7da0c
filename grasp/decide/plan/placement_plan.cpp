#include "grasp/decide/plan/placement_plan.hpp"

#include <algorithm>
#include <cmath>

#include "grasp/base/probability/sample_quantile.hpp"
#include "grasp/decide/plan/as_good.hpp"

namespace graspmap {
namespace {

PlacementError random_part(const PlanRequest& request) {
  const auto& [sigma_x, sigma_y] = *request.position_sigma_mm;
  return {normal_error(sigma_x), normal_error(sigma_y), normal_error(request.angle_sigma_rad)};
}

ErrorMixture error_of(const PlanRequest& request) {
  if (request.model.is_simple()) return random_part(request);
  ErrorMixture mixture = make_mixture(request.model);
  mixture.laws = request.law_weights;
  return mixture;
}

/// How far an end of the interval is from the estimate when two independent reasons move it (Zou
/// and Donner 2008, "Construction of confidence limits about effect measures").
double both_reasons(double estimate, double one, double other) {
  return std::hypot(estimate - one, estimate - other);
}

/// Adds what is unknown but constant to the interval of a placement.
void add_unknowns(PlannedPlacement& p, const SuccessField& field, const ErrorMixture& error,
                  const PlanRequest& request) {
  if (error.worlds < 2) return;
  const std::vector<double> successes = success_in_worlds(field, error, p.at);
  ConstantUnknowns unknowns;
  unknowns.trials = p.success.interval;
  unknowns.worlds = {sample_quantile(successes, (1 - request.confidence) / 2),
                     sample_quantile(successes, (1 + request.confidence) / 2)};
  unknowns.random_part_success = expected_success_probability(field, random_part(request), p.at);
  const double estimate = p.success.probability;
  const Interval& trials = unknowns.trials;
  const double low = std::min(unknowns.worlds.low, estimate);
  const double high = std::max(unknowns.worlds.high, estimate);
  p.success.interval = {std::max(estimate - both_reasons(estimate, trials.low, low), 0.0),
                        std::min(estimate + both_reasons(estimate, trials.high, high), 1.0)};
  p.unknowns = unknowns;
}

ErrorPlan plan_for_error(const SuccessField& field, const PlanRequest& request, double z) {
  ErrorPlan plan;
  plan.error = error_of(request);
  plan.placements = best_placements(field, plan.error, z);
  for (PlannedPlacement& p : plan.placements) {
    p.as_good = as_good_box(field, plan.error, p);
    add_unknowns(p, field, plan.error, request);
  }
  plan.unselected = unselected_success(field, plan.error);
  return plan;
}

/// The largest error, with the placements that are as good under it.
ErrorLimit limit_of(const SuccessField& field, double required, double z, Evidence evidence,
                    const ErrorOfSize& error) {
  ErrorLimit limit = largest_error(field, required, evidence, error, z);
  if (limit.reached) limit.placement.as_good = as_good_box(field, limit.error, limit.placement);
  return limit;
}

std::array<double, 2> proportions(const PlanRequest& request) {
  if (!request.position_sigma_mm) return {1.0, 1.0};
  const auto& [x, y] = *request.position_sigma_mm;
  const double larger = std::max(x, y);
  return {x / larger, y / larger};
}

ByEvidence<ErrorLimit> limits(const SuccessField& field, double required, double z,
                              const ErrorOfSize& error) {
  return {limit_of(field, required, z, Evidence::kEstimate, error),
          limit_of(field, required, z, Evidence::kConfidence, error)};
}

RequiredPlan plan_for_probability(const SuccessField& field, const PlanRequest& request, double z) {
  const AxisError angle = normal_error(request.angle_sigma_rad);
  RequiredPlan plan;
  plan.probability = *request.required_probability;
  plan.proportions = proportions(request);
  plan.ellipse = limits(field, plan.probability, z, [&](double size) {
    return PlacementError{normal_error(size * plan.proportions[0]),
                          normal_error(size * plan.proportions[1]), angle};
  });
  plan.square = limits(field, plan.probability, z, [&](double size) {
    return PlacementError{uniform_error(size), uniform_error(size), angle};
  });
  plan.guaranteed = {largest_guaranteed_square(field, plan.probability, Evidence::kEstimate, z),
                     largest_guaranteed_square(field, plan.probability, Evidence::kConfidence, z)};
  return plan;
}

/// The placement of planned_aim.
std::optional<PlacementVector> planned_placement(const PlacementPlan& plan,
                                                 const SuccessField& field) {
  if (plan.for_error) {
    if (plan.for_error->placements.empty()) return std::nullopt;
    return plan.for_error->placements.front().at;
  }
  if (plan.for_probability && plan.for_probability->ellipse.estimate.reached) {
    return plan.for_probability->ellipse.estimate.placement.at;
  }
  const auto best = best_placement(field, {}, two_sided_z(plan.request.confidence));
  return best ? std::optional(best->at) : std::nullopt;
}

}  // namespace

std::optional<AimAndRobot> planned_aim(const PlacementPlan& plan, const SuccessField& field) {
  const std::optional<PlacementVector> at = planned_placement(plan, field);
  if (!at) return std::nullopt;
  const auto [x, y] = plan.request.position_sigma_mm.value_or(std::array{0.0, 0.0});
  return AimAndRobot{*at, {x, y, plan.request.angle_sigma_rad}, !plan.has_angle()};
}

PlacementPlan make_plan(const SuccessField& field, const PlanRequest& request) {
  const double z = two_sided_z(request.confidence);
  PlacementPlan plan;
  plan.axes = field.axes();
  plan.trials = field.trials();
  plan.request = request;
  if (request.position_sigma_mm) plan.for_error = plan_for_error(field, request, z);
  if (request.required_probability) plan.for_probability = plan_for_probability(field, request, z);
  return plan;
}

}  // namespace graspmap
