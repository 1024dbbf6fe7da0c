#include "grasp/decide/pose/pose_request.hpp"

#include <fmt/format.h>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

RequestFields PoseRequest::fields() {
  std::vector<std::string> words;
  for (const Outcome word : kOutcomes) words.emplace_back(name(word));
  return {placement_field("placement X,Y[,THETA]", placement,
                          "the nominal placement in mm and rad, THETA for a sweep over angles; "
                          "without an error: the trials of its cell"),
          position_sigma_field(position_sigma_mm,
                               "standard deviations of the positioning error in x and y (one "
                               "number for both)"),
          angle_sigma_field(angle_sigma_rad,
                            "standard deviation of the angle's error, for a sweep of angles"),
          flag_field("plateau", plateau,
                     "take the cells whose success probability is at least "
                     "summary.plateau_probability (the default)"),
          word_field("outcome WORD", outcome, words,
                     "take the trials with this outcome (default: success)"),
          confidence_field(confidence)};
}

namespace {

PoseQuestion question_of(const PoseRequest& request, const SweepConfig& config) {
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
  if (request.position_sigma_mm) {
    const auto [x, y] = *request.position_sigma_mm;
    question.error = {normal_error(x), normal_error(y), {}};
  }
  question.error[2] = normal_error(angle_error(request.angle_sigma_rad, !axes[2].is_fixed()));
  question.plateau_probability = config.plateau_probability;
  question.outcome = request.outcome;
  question.confidence = request.confidence;
  return question;
}

}  // namespace

DeliveredPoses pose_run(const RunStore& run, const PoseRequest& request) {
  const SweepConfig& config = run.config();
  const PoseQuestion question = question_of(request, config);
  const SuccessField field(config.placement.axes(), read_trial_samples(run));
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
  poses->features = feature_names(config);
  poses->trials = field.trials();
  return *std::move(poses);
}

}  // namespace graspmap
