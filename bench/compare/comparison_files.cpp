#include <fmt/format.h>

#include <algorithm>

#include "bench/compare/comparison_report.hpp"
#include "bench/compare/machine.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap::bench {
namespace {

double lowest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double highest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

Object agreement_fields(const Agreement& agreement) {
  return {{"trials", agreement.trials},
          {"agreeing", agreement.agreeing},
          {"robust", agreement.robust},
          {"robust_agreeing", agreement.robust_agreeing},
          {"robust_share_low", agreement.robust_interval().low},
          {"robust_share_high", agreement.robust_interval().high},
          {"failed", agreement.failed},
          {"median_error_mm", agreement.median_mm},
          {"p90_error_mm", agreement.p90_mm},
          {"p99_error_mm", agreement.p99_mm},
          {"median_error_rad", agreement.median_rad},
          {"p90_error_rad", agreement.p90_rad},
          {"p99_error_rad", agreement.p99_rad},
          {"worst_overlap_mm", agreement.worst_overlap_mm}};
}

Object score_fields(const Score& score) {
  return {{"engine", score.curve},
          {"setting", score.setting},
          {"trials_per_s", score.measured.trials_per_s},
          {"unrepeatable", score.measured.unrepeatable},
          agreement_fields(score.agreement)};
}

Object reference_fields(const Comparison& comparison) {
  Object changed;
  for (std::size_t k = 0; k < kDisturbances.size(); ++k) {
    changed.add({kDisturbances[k].name, changed_outcomes(comparison.reference, k)});
  }
  return {{"step_s", comparison.reference_step_s},
          {"changed_outcomes", changed},
          {"with_half_the_step", agreement_fields(convergence(comparison.reference))}};
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string csv =
      "engine,setting,trials_per_s,trials_per_s_lowest,trials_per_s_highest,trials,agreeing,robust,"
      "robust_agreeing,robust_share_low,robust_share_high,failed,median_error_mm,p90_error_mm,"
      "p99_error_mm,median_error_rad,p90_error_rad,p99_error_rad,worst_overlap_mm,unrepeatable\n";
  for (const Score& score : comparison.scores) {
    const Agreement& a = score.agreement;
    const Interval share = a.robust_interval();
    csv += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                       score.curve, score.setting, score.median_trials_per_s(),
                       lowest(score.measured.trials_per_s), highest(score.measured.trials_per_s),
                       a.trials, a.agreeing, a.robust, a.robust_agreeing, share.low, share.high,
                       a.failed, a.median_mm, a.p90_mm, a.p99_mm, a.median_rad, a.p90_rad,
                       a.p99_rad, a.worst_overlap_mm, score.measured.unrepeatable);
  }
  return csv;
}

std::string trials_csv(const Comparison& comparison) {
  std::string csv =
      "trial,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,robust,end_x_mm,end_y_mm,"
      "end_theta_rad\n";
  for (std::size_t k = 0; k < comparison.reference.size(); ++k) {
    const ReferenceTrial& trial = comparison.reference[k];
    const TrialParameters& p = trial.parameters;
    const Pose2& end = trial.end.final_pose;
    csv +=
        fmt::format("{},{},{},{},{},{},{},{:d},{},{},{}\n", k, p.placement_x_mm, p.placement_y_mm,
                    p.theta_rad, p.mu_jaw, p.mu_support, name(trial.end.outcome), trial.robust(),
                    end.position_mm.x(), end.position_mm.y(), end.angle_rad);
  }
  return csv;
}

std::string wrong_trials_csv(const Comparison& comparison) {
  std::string csv =
      "engine,setting,trial,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,reference_outcome\n";
  for (const Score& score : comparison.scores) {
    for (std::size_t k = 0; k < comparison.reference.size(); ++k) {
      const ReferenceTrial& trial = comparison.reference[k];
      const Outcome found = score.measured.ends[k].outcome;
      if (!trial.robust() || found == trial.end.outcome) continue;
      const TrialParameters& p = trial.parameters;
      csv += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{}\n", score.curve, score.setting, k,
                         p.placement_x_mm, p.placement_y_mm, p.theta_rad, p.mu_jaw, p.mu_support,
                         name(found), name(trial.end.outcome));
    }
  }
  return csv;
}

std::string comparison_json(const Comparison& comparison) {
  return json_text(Object{{"name", comparison.name},
                          {"machine", machine_name()},
                          {"version", version()},
                          {"commit", git_commit()},
                          {"repetitions", comparison.repetitions},
                          {"reference", reference_fields(comparison)},
                          {"settings", list_of(comparison.scores, score_fields)}});
}

}  // namespace graspmap::bench
