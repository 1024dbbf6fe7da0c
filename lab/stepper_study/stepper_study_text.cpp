#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "grasp/base/io/text_table.hpp"
#include "grasp/base/io/units.hpp"
#include "lab/stepper_study/stepper_study_report.hpp"

namespace graspmap {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string table(const StepperStudy& study) {
  TextTable table({"stepper", "step ms", "ms/trial", "solves", "us/solve", "same outcome", "wrong",
                   "failed", "median mm", "95 % mm", "worst mm", "median deg", "worst deg",
                   "overlap mm"});
  const int robust = study.robust();
  for (const StepperScore& score : study.scores) {
    int failed_robust = 0;
    for (std::size_t k = 0; k < score.trials.size(); ++k) {
      failed_robust += study.reference[k].robust && score.trials[k].outcome == Outcome::kFailed;
    }
    table.add({family_name(score.setting),
               fmt::format("{:g}", kMillisecondsPerSecond * score.setting.step_s),
               fmt::format("{:.3g}", kMillisecondsPerSecond * score.seconds_per_trial),
               fmt::format("{:.0f}", score.iterations_per_trial),
               fmt::format("{:.3g}", 1e6 * score.seconds_per_iteration()),
               fmt::format("{:.1f} %", 100.0 * score.agreeing / std::max(robust, 1)),
               fmt::format("{}", robust - score.agreeing - failed_robust),
               fmt::format("{}", score.failed), number(score.median_error_mm, "{:.2g}"),
               number(score.p95_error_mm, "{:.2g}"), number(score.worst_error_mm, "{:.2g}"),
               number(kDegrees * score.median_error_rad, "{:.2g}"),
               number(kDegrees * score.worst_error_rad, "{:.2g}"),
               fmt::format("{:.2g}", -score.worst_gap_mm)});
  }
  return table.text();
}

/// The wrong outcomes of a setting, the most frequent first: "wedged in place of success 12".
std::string confusions(const StepperStudy& study, const StepperScore& score) {
  std::map<std::pair<Outcome, Outcome>, int> counts;
  for (std::size_t k = 0; k < score.trials.size(); ++k) {
    const Outcome right = study.reference[k].result.outcome;
    const Outcome found = score.trials[k].outcome;
    if (study.reference[k].robust && found != right) ++counts[{found, right}];
  }
  std::vector<std::pair<int, std::pair<Outcome, Outcome>>> sorted;
  for (const auto& [outcomes, count] : counts) sorted.emplace_back(-count, outcomes);
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const auto& [count, outcomes] : sorted) {
    text += fmt::format("{}{} {} in place of {}", text.empty() ? "" : ", ", -count,
                        name(outcomes.first), name(outcomes.second));
  }
  return text;
}

std::string wrong_grasps(const StepperStudy& study) {
  std::string text;
  for (const StepperScore& score : study.scores) {
    if (score.setting.step_s != study.request.config.scenario.step_s) continue;
    const std::string found = confusions(study, score);
    if (found.empty()) continue;
    text += fmt::format("  {}: {}\n", family_name(score.setting), found);
  }
  const double step_ms = kMillisecondsPerSecond * study.request.config.scenario.step_s;
  if (text.empty()) return "";
  return fmt::format("\nWrong grasps at the configuration's step of {:g} ms:\n{}", step_ms, text);
}

}  // namespace

std::string family_name(const StepperSetting& setting) {
  if (setting.polygon_vertices == 0) return name(setting.stepper);
  return fmt::format("{}, {}-gons", name(setting.stepper), setting.polygon_vertices);
}

std::string stepper_study_text(const StepperStudy& study) {
  return fmt::format(
             "{} trials of {}; {} are robust: the implicit stepper finds the same outcome at {:g}, "
             "{:g} and\n{:g} ms. Errors are distances of the part's final pose from that at {:g} "
             "ms, over robust trials\nwith the same outcome; times are of one core. Solves are "
             "linear problems in a trial: "
             "Newton's systems,\nLCPs or QPs; implicit has code of its own for grasps, the others "
             "are "
             "the steppers of scenes.\n\n",
             study.request.trials, study.request.config.name, study.robust(),
             0.5 * kMillisecondsPerSecond * study.request.reference_step_s,
             kMillisecondsPerSecond * study.request.reference_step_s,
             2.0 * kMillisecondsPerSecond * study.request.reference_step_s,
             kMillisecondsPerSecond * study.request.reference_step_s) +
         table(study) + wrong_grasps(study);
}

}  // namespace graspmap
