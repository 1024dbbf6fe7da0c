#include <fmt/format.h>

#include "grasp/base/io/json_document.hpp"
#include "lab/stepper_study/stepper_study_report.hpp"

namespace graspmap {
namespace {

std::string vertices(const StepperSetting& setting) {
  return setting.polygon_vertices == 0 ? "" : fmt::format("{}", setting.polygon_vertices);
}

void write_score(JsonWriter& json, const StepperScore& score) {
  json.begin_object();
  json.field("stepper", name(score.setting.stepper));
  json.field("polygon_vertices", score.setting.polygon_vertices);
  json.field("step_s", score.setting.step_s);
  json.field("seconds_per_trial", score.seconds_per_trial);
  json.field("same_outcome", score.agreeing);
  json.field("failed", score.failed);
  json.field("median_error_mm", score.median_error_mm);
  json.field("p95_error_mm", score.p95_error_mm);
  json.field("median_error_rad", score.median_error_rad);
  json.field("worst_gap_mm", score.worst_gap_mm);
  json.field("worst_error_mm", score.worst_error_mm);
  json.field("worst_error_rad", score.worst_error_rad);
  json.field("steps_per_trial", score.steps_per_trial);
  json.field("iterations_per_trial", score.iterations_per_trial);
  json.field("seconds_per_iteration", score.seconds_per_iteration());
  json.end_object();
}

}  // namespace

std::string stepper_study_csv(const StepperStudy& study) {
  std::string csv =
      "stepper,polygon_vertices,step_s,seconds_per_trial,robust,same_outcome,failed,"
      "median_error_mm,p95_error_mm,median_error_rad,worst_gap_mm,worst_error_mm,worst_error_rad,"
      "steps_per_trial,iterations_per_trial,seconds_per_iteration\n";
  for (const StepperScore& score : study.scores) {
    csv += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name(score.setting.stepper),
        vertices(score.setting), score.setting.step_s, score.seconds_per_trial, study.robust(),
        score.agreeing, score.failed, score.median_error_mm, score.p95_error_mm,
        score.median_error_rad, score.worst_gap_mm, score.worst_error_mm, score.worst_error_rad,
        score.steps_per_trial, score.iterations_per_trial, score.seconds_per_iteration());
  }
  return csv;
}

std::string wrong_grasps_csv(const StepperStudy& study) {
  std::string csv =
      "stepper,polygon_vertices,step_s,trial,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,"
      "reference_outcome\n";
  for (const StepperScore& score : study.scores) {
    for (std::size_t k = 0; k < score.trials.size(); ++k) {
      const ReferenceTrial& reference = study.reference[k];
      const Outcome found = score.trials[k].outcome;
      if (!reference.robust || found == reference.result.outcome) continue;
      const TrialParameters& p = reference.parameters;
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", name(score.setting.stepper),
                         vertices(score.setting), score.setting.step_s, reference.index,
                         p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support,
                         name(found), name(reference.result.outcome));
    }
  }
  return csv;
}

std::string stepper_study_json(const StepperStudy& study) {
  JsonWriter json;
  json.begin_object();
  write_head(json);
  json.field("name", study.request.config.name);
  json.field("trials", study.request.trials);
  json.field("robust", study.robust());
  json.field("reference_step_s", study.request.reference_step_s);
  json.key("settings");
  json.begin_array();
  for (const StepperScore& score : study.scores) write_score(json, score);
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace graspmap
