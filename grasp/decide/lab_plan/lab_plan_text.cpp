#include <fmt/format.h>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/base/probability/sample_quantile.hpp"
#include "grasp/decide/lab_plan/lab_plan_report.hpp"

namespace graspmap {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string placement_words(const LabAnswer& answer) {
  const std::string where = answer.choice == PlacementChoice::kSpread
                                ? "spread over the map"
                                : "four in five where a trial tells most, the rest spread";
  return fmt::format("{} placements, {}", answer.placements(), where);
}

/// What a test of the goal says when it is reached.
std::string reached_words(const LabGoal& goal) {
  if (std::holds_alternative<DetectGoal>(goal)) return "compare found a difference";
  if (std::holds_alternative<AgreeGoal>(goal)) return "compare said \"agrees\"";
  return "the interval was so narrow";
}

std::string laboratory_words(const LabGoal& goal) {
  return std::holds_alternative<DetectGoal>(goal) ? "with this change" : "as the model has them";
}

std::string checked_text(const LabPlan& plan) {
  const LabPower& checked = plan.answer.checked();
  const LabRequest& request = plan.question.request;
  const Interval interval = wilson_interval(checked.reached, checked.experiments);
  std::string text = fmt::format(
      "Checked by simulation: of {} experiments {}, in {}\n{} (95 % interval {:.1f} to {:.1f} "
      "%).\n",
      grouped(checked.experiments), laboratory_words(request.goal), percent(checked.power()),
      reached_words(request.goal), 100 * interval.low, 100 * interval.high);
  if (std::holds_alternative<LearnGoal>(request.goal)) {
    text += fmt::format(
        "The median interval is {:.4g} wide; {} of the intervals held the true value.\n",
        sample_quantile(checked.widths, 0.5),
        percent(static_cast<double>(checked.covered) / static_cast<double>(checked.experiments)));
  }
  return text;
}

std::string other_text(const LabPlan& plan) {
  if (!plan.other) return "";
  const char* choice = name(plan.other->choice);
  if (!plan.other->search.found) {
    return fmt::format("With --placements {}, {} trials would not be enough.\n", choice,
                       grouped(kMostLabTrials));
  }
  return fmt::format("With --placements {} it would take {} trials.\n", choice,
                     grouped(plan.other->search.trials));
}

std::string session_text(const LabPlan& plan) {
  const int sessions = plan.question.sessions;
  if (sessions == 0) {
    return "Friction is taken to vary from trial to trial; for pairs of surfaces whose friction\n"
           "stays the same, say how many you have: --sessions K.\n";
  }
  return fmt::format("{} session{}: friction is the same within each, another in the next.\n",
                     sessions, sessions == 1 ? "" : "s");
}

}  // namespace

std::string lab_plan_sentence(const LabPlan& plan) {
  const LabRequest& request = plan.question.request;
  return fmt::format("{} trials {} with a power of {:.6g} % at {:.6g} % confidence",
                     grouped(plan.answer.search.trials), words(request.goal), 100 * request.power,
                     100 * request.confidence);
}

std::string unreachable_text(const LabPlan& plan) {
  const LabPower& most = plan.answer.checked();
  std::string text =
      fmt::format("{} trials are not enough {}: the power is {} there, {:.6g} % was asked for",
                  grouped(most.trials), words(plan.question.request.goal), percent(most.power()),
                  100 * plan.question.request.power);
  if (plan.question.sessions > 0) {
    return text +
           fmt::format("; with friction constant in each of {} session{}, take more sessions",
                       plan.question.sessions, plan.question.sessions == 1 ? "" : "s");
  }
  return text + "; ask for a larger difference, or take another range of placements";
}

std::string lab_plan_text(const LabPlan& plan) {
  std::string text = lab_plan_sentence(plan) + ":\n";
  text += placement_words(plan.answer) + ".\n";
  text += checked_text(plan) + other_text(plan) + session_text(plan);
  return text;
}

}  // namespace graspmap
