#include <fmt/format.h>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/plan/asked_placement.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

RequestFields PoseRequest::fields() {
  std::vector<std::string> words;
  for (const Outcome word : kOutcomes) words.emplace_back(name(word));
  return at.fields_and({flag_field("plateau", plateau,
                                   "take the cells whose success probability is at least "
                                   "summary.plateau_probability"),
                        word_field("outcome WORD", outcome, words,
                                   "take the trials with this outcome (default: success)"),
                        confidence_field(confidence)});
}

namespace {

PoseQuestion question_of(const RunStore& run, const SuccessField& field,
                         const PoseRequest& request) {
  if (!request.at.placement.empty() && request.plateau) {
    throw RequestError("--plateau and --placement: must be one of them");
  }
  PoseQuestion question;
  if (!request.plateau || request.at.position_sigma_mm || request.at.angle_sigma_rad) {
    AskedPlacement asked = asked_placement(run, field, request.at);
    question.placement = asked.placement;
    question.error = std::move(asked.error);
    question.error_words = std::move(asked.error_words);
  }
  question.plateau_probability = run.config().plateau_probability;
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
  const Part& part = config.scenario.part;
  for (int k = 0; k < feature_count(part); ++k) poses->features.push_back(feature_name(part, k));
  poses->trials = field.trials();
  return *std::move(poses);
}

}  // namespace graspmap
