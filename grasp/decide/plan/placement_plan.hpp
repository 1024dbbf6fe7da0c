#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/best_placement.hpp"
#include "grasp/decide/plan/error_model.hpp"
#include "grasp/decide/tolerances/lots.hpp"
#include "grasp/decide/tolerances/width_limits.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// By what a probability is said to reach what is required.
enum class Evidence {
  kEstimate,   ///< the estimate does
  kConfidence  ///< the lower end of its interval does
};

/// An error as a function of its size, in mm: the larger the size, the larger the error.
using ErrorOfSize = std::function<PlacementError(double size_mm)>;

/// How large the error may be for the best placement still to reach a required probability.
struct ErrorLimit {
  bool reached = false;  ///< false: for no error, not even the smallest that was looked at
  /// True when a larger error might do as well: what fails there is known too little, because the
  /// error reaches beyond the map.
  bool limited_by_map = false;
  double size_mm = 0.0;  ///< 0: reached without an error, but not with the smallest one
  PlacementError error{};
  PlannedPlacement placement;  ///< the best one under this error, when it is reached
};

/// The largest size at which best_placement reaches `required`. Sizes are multiples of a hundredth
/// of the smaller cell side; they are tried in geometric steps of 0.85, down from where the map
/// would be too small even if every grasp in it succeeded, to a quarter of the cell; the first that
/// does is improved by bisection.
ErrorLimit largest_error(const SuccessField& field, double required, Evidence evidence,
                         const ErrorOfSize& error, double z);

/// The largest square of cells each of which reaches a required probability.
struct GuaranteedSquare {
  bool found = false;
  double half_width_mm = 0.0;
  double x_mm = 0.0;
  double y_mm = 0.0;
  double theta_rad = 0.0;       ///< the centre of its slice
  bool limited_by_map = false;  ///< it reaches across the whole map in x or y
};

/// In every cell of which the estimate (or the lower end of its interval at z) reaches `required`.
/// The one of equal squares closest to their mean, then of smaller |x|, then the first; the middle
/// one of equal slices.
GuaranteedSquare largest_guaranteed_square(const SuccessField& field, double required,
                                           Evidence evidence, double z);

/// What a plan is asked for.
struct PlanQuestion {
  std::optional<RobotError> error;
  std::optional<double> required_probability;
  double confidence = 0.95;
  std::vector<PosteriorDraw> draws;               ///< of a calibration
  std::vector<std::vector<double>> draw_weights;  ///< draw_weights of each of them
  std::string after;                              ///< the calibration's file, as it was typed
  double plateau_probability = 0.95;              ///< reliable, where no probability is required

  /// The error with the draws; no error where none is given.
  [[nodiscard]] ErrorModel model() const;
  /// Standard deviations of what differs from grasp to grasp.
  [[nodiscard]] PlacementVector sigma() const;
  /// A placement that succeeds as often as this is reliable.
  [[nodiscard]] double reliable() const {
    return required_probability.value_or(plateau_probability);
  }
};

/// The placements to aim at under a given error.
struct ErrorPlan {
  ErrorMixture error;
  std::vector<PlannedPlacement> placements;  ///< the best first; none when no success is known of

  [[nodiscard]] std::optional<PlannedPlacement> best() const {
    return placements.empty() ? std::nullopt : std::optional(placements.front());
  }
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
  std::optional<PlannedPlacement> exact;  ///< the best one of an exact robot
};

/// The answers to a request.
struct PlacementPlan {
  std::string name;  ///< of the sweep
  std::array<Axis, 3> axes;
  std::size_t trials = 0;
  bool has_noise = false;  ///< the sweep has placement noise of its own: it stays a part of p
  PlanQuestion request;
  std::optional<ErrorPlan> for_error;
  std::optional<RequiredPlan> for_probability;
  /// By new simulations at the planned placement, of a sweep with uncertain inputs.
  std::optional<WidthLimits> widths = {};
  std::optional<LotSuccess> lots = {};
  /// What a no says, and an answer that needs more trials; of a stored run only.
  std::string reasons = {};
  std::optional<MoreTrials> more = {};

  [[nodiscard]] bool has_angle() const { return !axes[2].is_fixed(); }
};

PlacementPlan make_plan(const SuccessField& field, const PlanQuestion& request);

/// The first placement of a plan for an error alone, without other ones beside it.
std::optional<PlannedPlacement> first_placement(const SuccessField& field,
                                                const PlanQuestion& request);

/// Whether a placement is reliable: the whole interval says so.
Answer answer_of(const std::optional<PlannedPlacement>& best, double reliable);

/// The placement that a plan recommends, with the error that it was asked for: the best one under a
/// given error, else the one of the largest error, else the best of an exact robot. Nothing when no
/// success is known of, and for an error that is not simple.
std::optional<AimAndRobot> planned_aim(const PlacementPlan& plan, const SuccessField& field);

/// For a person, what the plan for an error answers: where to put the gripper and how often that
/// succeeds; or that no placement is reliable, and why; or that the trials are too few.
std::string answer_text(const PlacementPlan& plan, const std::optional<PlannedPlacement>& best);
/// For a person: the answer in words, then tables.
std::string plan_text(const PlacementPlan& plan);
/// plan.json.
Object plan_fields(const PlacementPlan& plan);
/// plan.csv: a row for each placement that was found.
Table plan_table(const PlacementPlan& plan);
/// Both, and tolerances.csv where the plan has widths.
std::vector<ResultFile> plan_files(const PlacementPlan& plan);

/// The success map and, for a given error, the map of the expected success over the nominal
/// placement, both with what the plan found: the placements with the ellipses that hold 95 % of
/// the error, and the largest errors for a required probability. A map with a third axis
/// shows the slice of the best placement. plan_map.gp draws plan_map.png and plan_map.svg from
/// plan_map.csv.
Figure plan_figure(const PlacementPlan& plan, const SuccessField& field, const RunStore& run);

}  // namespace graspmap
