#include "grasp/decide/pose/pose_request.hpp"

#include <fmt/format.h>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

RequestFields PoseRequest::fields() {
  std::vector<std::string> words;
  for (const Outcome word : kOutcomes) words.emplace_back(name(word));
  return {placement_field("placement X,Y[,THETA]", placement,
                          "the nominal placement in mm and rad, THETA for a sweep over angles "
                          "(default: the one that the run answers with)"),
          position_sigma_field(position_sigma_mm,
                               "standard deviations of the positioning error in x and y (one "
                               "number for both; 0: the trials of its cell; default: the run's "
                               "[robot], else 0)"),
          angle_sigma_field(angle_sigma_rad,
                            "standard deviation of the angle's error, for a sweep of angles"),
          flag_field("plateau", plateau,
                     "take the cells whose success probability is at least "
                     "summary.plateau_probability"),
          word_field("outcome WORD", outcome, words,
                     "take the trials with this outcome (default: success)"),
          confidence_field(confidence)};
}

namespace {

/// Adds what the run answers with: the best placement under its robot's error, or without [robot]
/// the sweet spot, anywhere in its square. Without either the plateau is left.
void add_answer(const RunStore& run, const SuccessField& field, PoseQuestion& question) {
  const SweepConfig& config = run.config();
  if (config.robot) {
    const auto best = first_placement(field, robot_question(config));
    if (best) question.placement = best->at;
    return;
  }
  const SweetSpot spot = summarize(config, read_totals(run), run.trials_asked()).sweet_spot;
  if (!spot.found) return;
  question.placement = {spot.x_mm, spot.y_mm, spot.theta_rad};
  const Distribution side = uniform_error(spot.half_width_mm);
  question.error = {side, side, {}};
  question.error_words =
      fmt::format("±{:.6g} mm in x and in y, the sweet spot's square", spot.half_width_mm);
}

PoseQuestion question_of(const RunStore& run, const SuccessField& field,
                         const PoseRequest& request) {
  const SweepConfig& config = run.config();
  const std::array<Axis, 3> axes = config.placement.axes();
  const bool has_placement = !request.placement.empty();
  if (has_placement && request.plateau) {
    throw RequestError("--plateau and --placement: must be one of them");
  }
  if (!has_placement && (request.position_sigma_mm || request.angle_sigma_rad)) {
    throw RequestError(
        fmt::format("--{}: needs a placement that the error is of, --placement X,Y",
                    request.position_sigma_mm ? "position-sigma-mm" : "angle-sigma-rad"));
  }
  PoseQuestion question;
  if (has_placement) question.placement = on_map(request.placement, "placement", axes);
  const auto error = robot_error_of(request.position_sigma_mm, request.angle_sigma_rad, config);
  if (error && !request.plateau) {
    question.error = make_mixture(error_model(*error));
    if (question.error.overall != PlacementError{}) question.error_words = error_words(*error);
  }
  if (!has_placement && !request.plateau) add_answer(run, field, question);
  question.plateau_probability = config.plateau_probability;
  question.outcome = request.outcome;
  question.confidence = request.confidence;
  return question;
}

}  // namespace

DeliveredPoses pose_run(const RunStore& run, const PoseRequest& request) {
  const SweepConfig& config = run.config();
  const SuccessField field(config.placement.axes(), read_trial_samples(run), config.points);
  const PoseQuestion question = question_of(run, field, request);
  const Eigen::MatrixXd all = read_poses(run, field.trials());
  std::optional<DeliveredPoses> poses =
      delivered_poses(field, all, question, read_touches(run, field.trials(), request.outcome));
  if (!poses) {
    throw config_error(
        {run.file().string()}, "",
        fmt::format("has no trial with outcome {} {}", name(request.outcome),
                    question.placement ? "where the placement may end up" : "on the plateau"));
  }
  poses->name = config.name;
  poses->title = run_title(config.name, run.file());
  poses->features = feature_names(config);
  poses->trials = field.trials();
  return *std::move(poses);
}

}  // namespace graspmap
