#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/plan/best_placement.hpp"
#include "grasp/decide/plan/error_limits.hpp"
#include "grasp/decide/plan/error_model.hpp"
#include "grasp/decide/tolerances/lots.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"

namespace graspmap {

/// What a plan is asked for.
struct PlanRequest {
  /// Standard deviations of x (mm), y (mm) and theta (rad); 0: exact.
  std::optional<std::array<double, 2>> position_sigma_mm;
  double angle_sigma_rad = 0.0;
  std::optional<double> required_probability;
  double confidence = 0.95;
  /// What else is known of the error; used when it is not simple.
  ErrorModel model;
  std::vector<std::vector<double>> law_weights;  ///< law_weights of each of model.draws
  std::string after;                             ///< the calibration's file, as it was typed
};

/// The placements to aim at under a given error.
struct ErrorPlan {
  ErrorMixture error;
  std::vector<PlannedPlacement> placements;  ///< the best first; none when no success is known of
  std::optional<UnselectedSuccess> unselected;
};

/// Something by the estimate, and with confidence.
template <typename T>
struct ByEvidence {
  T estimate;
  T confidence;
};

/// The largest errors under which the best placement reaches a probability.
struct RequiredPlan {
  double probability = 0.0;
  std::array<double, 2> proportions{1.0, 1.0};  ///< of the ellipse: the larger one is 1
  ByEvidence<ErrorLimit> ellipse;  ///< normal errors: size times proportions in x and y
  ByEvidence<ErrorLimit> square;   ///< uniform in +-size in x and y
  ByEvidence<GuaranteedSquare> guaranteed;
};

/// The answers to a request.
struct PlacementPlan {
  std::string name;  ///< of the sweep
  std::array<Axis, 3> axes;
  std::size_t trials = 0;
  bool has_noise = false;  ///< the sweep has placement noise of its own: it stays a part of p
  PlanRequest request;
  std::optional<ErrorPlan> for_error;
  std::optional<RequiredPlan> for_probability;
  /// By new simulations at the planned placement, of a sweep with uncertain inputs.
  std::optional<WidthLimits> widths = {};
  std::optional<LotSuccess> lots = {};

  [[nodiscard]] bool has_angle() const { return !axes[2].is_fixed(); }
};

PlacementPlan make_plan(const SuccessField& field, const PlanRequest& request);

/// The placement that a plan recommends, with the error that it was asked for: the best one under a
/// given error, else the one of the largest error, else the best of an exact robot. Nothing when no
/// success is known of.
std::optional<AimAndRobot> planned_aim(const PlacementPlan& plan, const SuccessField& field);

/// For a person: the answer in words, then tables.
std::string plan_text(const PlacementPlan& plan);
/// plan.json.
std::string plan_json(const PlacementPlan& plan);
/// plan.csv: a row for each placement that was found.
std::string plan_csv(const PlacementPlan& plan);

}  // namespace graspmap
