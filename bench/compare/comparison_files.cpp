#include <fmt/format.h>

#include <algorithm>

#include "bench/compare/comparison_report.hpp"
#include "bench/compare/machine.hpp"
#include "grasp/base/io/json.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap::bench {
namespace {

double lowest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double highest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

void write_agreement(JsonWriter& json, const Agreement& agreement) {
  json.field("trials", agreement.trials);
  json.field("agreeing", agreement.agreeing);
  json.field("robust", agreement.robust);
  json.field("robust_agreeing", agreement.robust_agreeing);
  json.field("robust_share_low", agreement.robust_interval().low);
  json.field("robust_share_high", agreement.robust_interval().high);
  json.field("failed", agreement.failed);
  json.field("median_error_mm", agreement.median_mm);
  json.field("p90_error_mm", agreement.p90_mm);
  json.field("p99_error_mm", agreement.p99_mm);
  json.field("median_error_rad", agreement.median_rad);
  json.field("p90_error_rad", agreement.p90_rad);
  json.field("p99_error_rad", agreement.p99_rad);
  json.field("worst_overlap_mm", agreement.worst_overlap_mm);
}

void write_score(JsonWriter& json, const Score& score) {
  json.begin_object();
  json.field("engine", score.curve);
  json.field("setting", score.setting);
  json.key("trials_per_s");
  json.begin_array();
  for (const double rate : score.measured.trials_per_s) json.value(rate);
  json.end_array();
  json.field("unrepeatable", score.measured.unrepeatable);
  write_agreement(json, score.agreement);
  json.end_object();
}

void write_reference(JsonWriter& json, const Comparison& comparison) {
  json.key("reference");
  json.begin_object();
  json.field("step_s", comparison.reference_step_s);
  json.key("changed_outcomes");
  json.begin_object();
  for (std::size_t k = 0; k < kDisturbances.size(); ++k) {
    json.field(kDisturbances[k].name, changed_outcomes(comparison.reference, k));
  }
  json.end_object();
  json.key("with_half_the_step");
  json.begin_object();
  write_agreement(json, convergence(comparison.reference));
  json.end_object();
  json.end_object();
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
  JsonWriter json;
  json.begin_object();
  json.field("name", comparison.name);
  json.field("machine", machine_name());
  json.field("version", version());
  json.field("commit", git_commit());
  json.field("repetitions", comparison.repetitions);
  write_reference(json, comparison);
  json.key("settings");
  json.begin_array();
  for (const Score& score : comparison.scores) write_score(json, score);
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace graspmap::bench
