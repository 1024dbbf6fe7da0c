#include <fmt/format.h>

#include "grasp/analysis/plan/placement_plan.hpp"
#include "grasp/io/json.hpp"
#include "grasp/process/version.hpp"

namespace graspmap {
namespace {

void add_interval(JsonWriter& json, const char* key, double low, double high) {
  json.key(key);
  json.begin_array();
  json.value(low);
  json.value(high);
  json.end_array();
}

void add_place(JsonWriter& json, const PlacementPlan& plan, const PlacementVector& at) {
  json.field("x_mm", at[0]);
  json.field("y_mm", at[1]);
  if (plan.has_angle()) json.field("theta_rad", at[2]);
}

void add_outcomes(JsonWriter& json, const ExpectedSuccess& success) {
  json.key("outcomes");
  json.begin_object();
  for (const Outcome outcome : kOutcomes) {
    json.field(name(outcome), success.shares[static_cast<std::size_t>(outcome)]);
  }
  json.end_object();
}

void add_placement(JsonWriter& json, const PlacementPlan& plan, const PlannedPlacement& p) {
  add_place(json, plan, p.at);
  json.field("success_probability", p.success.probability);
  add_interval(json, "interval", p.success.interval.low, p.success.interval.high);
  json.field("unknown_share", 1 - p.success.known_share);
  json.field("effective_trials", p.success.effective_trials);
  json.field("standard_error", p.standard_error);
  json.key("as_good");
  json.begin_object();
  add_interval(json, "x_mm", p.tied_min[0], p.tied_max[0]);
  add_interval(json, "y_mm", p.tied_min[1], p.tied_max[1]);
  if (plan.has_angle()) add_interval(json, "theta_rad", p.tied_min[2], p.tied_max[2]);
  json.end_object();
  add_outcomes(json, p.success);
}

void add_unselected(JsonWriter& json, const PlacementPlan& plan, const UnselectedSuccess& result) {
  json.key("unselected");
  json.begin_object();
  json.field("success_probability", result.probability);
  json.key("halves");
  json.begin_array();
  for (std::size_t k = 0; k < 2; ++k) {
    json.begin_object();
    add_place(json, plan, result.at[k]);
    json.field("success_probability", result.measured[k]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void add_error_plan(JsonWriter& json, const PlacementPlan& plan, const ErrorPlan& found) {
  json.key("position_sigma_mm");
  json.begin_array();
  for (const double sigma : *plan.request.position_sigma_mm) json.value(sigma);
  json.end_array();
  json.key("placements");
  json.begin_array();
  for (const PlannedPlacement& placement : found.placements) {
    json.begin_object();
    add_placement(json, plan, placement);
    json.end_object();
  }
  json.end_array();
  if (found.unselected) add_unselected(json, plan, *found.unselected);
}

void add_limit(JsonWriter& json, const PlacementPlan& plan, const char* key,
               const ErrorLimit& limit, const std::array<double, 2>* proportions) {
  json.key(key);
  json.begin_object();
  json.field("reached", limit.reached);
  if (limit.reached) {
    if (proportions != nullptr) {
      json.field("sigma_x_mm", limit.size_mm * (*proportions)[0]);
      json.field("sigma_y_mm", limit.size_mm * (*proportions)[1]);
    } else {
      json.field("half_width_mm", limit.size_mm);
    }
    json.field("limited_by_map", limit.limited_by_map);
    add_placement(json, plan, limit.placement);
  }
  json.end_object();
}

void add_square(JsonWriter& json, const PlacementPlan& plan, const char* key,
                const GuaranteedSquare& square) {
  json.key(key);
  json.begin_object();
  json.field("reached", square.found);
  if (square.found) {
    json.field("half_width_mm", square.half_width_mm);
    json.field("limited_by_map", square.limited_by_map);
    add_place(json, plan, {square.x_mm, square.y_mm, square.theta_rad});
  }
  json.end_object();
}

void add_required(JsonWriter& json, const PlacementPlan& plan, const RequiredPlan& required) {
  json.key("required");
  json.begin_object();
  json.field("probability", required.probability);
  json.key("normal");
  json.begin_object();
  add_limit(json, plan, "estimate", required.ellipse.estimate, &required.proportions);
  add_limit(json, plan, "confidence", required.ellipse.confidence, &required.proportions);
  json.end_object();
  json.key("square");
  json.begin_object();
  add_limit(json, plan, "estimate", required.square.estimate, nullptr);
  add_limit(json, plan, "confidence", required.square.confidence, nullptr);
  json.end_object();
  json.key("guaranteed_square");
  json.begin_object();
  add_square(json, plan, "estimate", required.guaranteed.estimate);
  add_square(json, plan, "confidence", required.guaranteed.confidence);
  json.end_object();
  json.end_object();
}

/// One row: the error of x and y is normal ("sigma") or uniform ("half width"), not both.
std::string csv_row(const std::string& what, const PlacementError& error,
                    const PlannedPlacement& p) {
  const auto size = [&](std::size_t axis, AxisError::Kind kind) {
    return error[axis].kind == kind ? error[axis].size : 0.0;
  };
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", what, p.at[0], p.at[1], p.at[2],
                  size(0, AxisError::Kind::kNormal), size(1, AxisError::Kind::kNormal),
                  size(2, AxisError::Kind::kNormal), size(0, AxisError::Kind::kUniform),
                  p.success.probability, p.success.interval.low, p.success.interval.high,
                  1 - p.success.known_share, p.success.effective_trials);
  for (const double share : p.success.shares) row += fmt::format(",{}", share);
  return row + "\n";
}

std::string limit_row(const char* what, const ErrorLimit& limit) {
  return limit.reached ? csv_row(what, limit.error, limit.placement) : "";
}

}  // namespace

std::string plan_json(const PlacementPlan& plan) {
  JsonWriter json;
  json.begin_object();
  json.field("name", plan.name);
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
  json.field("trials", static_cast<std::int64_t>(plan.trials));
  json.field("confidence", plan.request.confidence);
  json.field("sweep_has_placement_noise", plan.has_noise);
  if (plan.has_angle()) json.field("angle_sigma_rad", plan.request.angle_sigma_rad);
  if (plan.for_error) add_error_plan(json, plan, *plan.for_error);
  if (plan.for_probability) add_required(json, plan, *plan.for_probability);
  json.end_object();
  return json.text();
}

std::string plan_csv(const PlacementPlan& plan) {
  std::string csv =
      "what,x_mm,y_mm,theta_rad,sigma_x_mm,sigma_y_mm,sigma_theta_rad,half_width_mm,"
      "success_probability,interval_low,interval_high,unknown_share,effective_trials";
  for (const Outcome outcome : kOutcomes) csv += fmt::format(",{}", name(outcome));
  csv += "\n";
  if (plan.for_error) {
    int rank = 1;
    for (const PlannedPlacement& placement : plan.for_error->placements) {
      csv += csv_row(fmt::format("placement_{}", rank++), plan.for_error->error, placement);
    }
  }
  if (plan.for_probability) {
    const RequiredPlan& required = *plan.for_probability;
    csv += limit_row("largest_normal_estimate", required.ellipse.estimate);
    csv += limit_row("largest_normal_confidence", required.ellipse.confidence);
    csv += limit_row("largest_square_estimate", required.square.estimate);
    csv += limit_row("largest_square_confidence", required.square.confidence);
  }
  return csv;
}

}  // namespace graspmap
