#include "grasp/decide/plan/asked_placement.hpp"

#include <fmt/format.h>

#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

RequestFields PlacementOptions::fields_and(const RequestFields& others) {
  RequestFields fields{
      placement_field("placement X,Y[,THETA]", placement,
                      "the nominal placement in mm and rad, THETA for a sweep over angles "
                      "(default: the one that the run answers with)"),
      position_sigma_field(position_sigma_mm,
                           "standard deviations of the positioning error in x and y (one number "
                           "for both; 0: the trials of its cell; default: the run's [robot], else "
                           "0)"),
      angle_sigma_field(angle_sigma_rad,
                        "standard deviation of the angle's error, for a sweep of angles")};
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

namespace {

void add_answer(const RunStore& run, const SuccessField& field, AskedPlacement& asked) {
  const SweepConfig& config = run.config();
  if (config.robot) {
    const auto best = first_placement(field, robot_question(config));
    if (best) asked.placement = best->at;
    return;
  }
  const SweetSpot spot = summarize(config, read_totals(run), run.trials_asked()).sweet_spot;
  if (!spot.found) return;
  asked.placement = {spot.x_mm, spot.y_mm, spot.theta_rad};
  const Distribution side = uniform_error(spot.half_width_mm);
  asked.error = {side, side, {}};
  asked.error_words =
      fmt::format("±{:.6g} mm in x and in y, the sweet spot's square", spot.half_width_mm);
}

}  // namespace

void check_placement(const PlacementOptions& options, const SweepConfig& config) {
  if (!options.placement.empty()) {
    on_map(options.placement, "placement", config.placement.axes());
  } else if (options.position_sigma_mm || options.angle_sigma_rad) {
    throw RequestError(options.position_sigma_mm ? "position-sigma-mm" : "angle-sigma-rad",
                       "needs a placement that the error is of, --placement X,Y");
  }
}

AskedPlacement asked_placement(const RunStore& run, const SuccessField& field,
                               const PlacementOptions& options) {
  const SweepConfig& config = run.config();
  check_placement(options, config);
  AskedPlacement asked;
  const auto error = robot_error_of(options.position_sigma_mm, options.angle_sigma_rad, config);
  if (error) {
    asked.error = make_mixture(error_model(*error));
    if (asked.error.overall != PlacementError{}) asked.error_words = error_words(*error);
  }
  if (options.placement.empty()) {
    add_answer(run, field, asked);
  } else {
    asked.placement = on_map(options.placement, "placement", config.placement.axes());
  }
  return asked;
}

}  // namespace graspmap
