#include "grasp/decide/lab_plan/lab_goal.hpp"

#include <fmt/format.h>

#include <limits>

namespace graspmap {

double interval_width(const Agreement& agreement, Change change) {
  const ChangeResult* result = agreement.of(change);
  if (result == nullptr) return std::numeric_limits<double>::infinity();
  return result->estimate.interval.high - result->estimate.interval.low;
}

bool reached(const Agreement& agreement, const LabRequest& request) {
  if (std::holds_alternative<DetectGoal>(request.goal)) return agreement.significant;
  if (std::holds_alternative<AgreeGoal>(request.goal)) {
    return agreement.verdict == AgreementVerdict::kAgrees;
  }
  const auto& goal = std::get<LearnGoal>(request.goal);
  return interval_width(agreement, goal.change) <= goal.width;
}

std::string words(const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    return "to find " + words(detect->change);
  }
  if (const auto* agree = std::get_if<AgreeGoal>(&goal)) {
    return fmt::format("to show agreement within {:.6g} points", 100 * agree->within);
  }
  const auto& learn = std::get<LearnGoal>(goal);
  const std::string suffix = unit(learn.change);
  return fmt::format("to know {} with an interval at most {:.6g}{} wide", name(learn.change),
                     learn.change == Change::kLevel ? 100 * learn.width : learn.width,
                     suffix.empty() ? "" : " " + suffix);
}

}  // namespace graspmap
