#include "grasp/analysis/plan/placement_plan.hpp"

#include <algorithm>

namespace graspmap {
namespace {

ErrorPlan plan_for_error(const SuccessField& field, const PlanRequest& request, double z) {
  const auto& [sigma_x, sigma_y] = *request.position_sigma_mm;
  ErrorPlan plan;
  plan.error = {normal_error(sigma_x), normal_error(sigma_y),
                normal_error(request.angle_sigma_rad)};
  plan.placements = best_placements(field, plan.error, z);
  plan.unselected = unselected_success(field, plan.error);
  return plan;
}

std::array<double, 2> proportions(const PlanRequest& request) {
  if (!request.position_sigma_mm) return {1.0, 1.0};
  const auto& [x, y] = *request.position_sigma_mm;
  const double larger = std::max(x, y);
  return {x / larger, y / larger};
}

ByEvidence<ErrorLimit> limits(const SuccessField& field, double required, double z,
                              const ErrorOfSize& error) {
  return {largest_error(field, required, Evidence::kEstimate, error, z),
          largest_error(field, required, Evidence::kConfidence, error, z)};
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

}  // namespace

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
