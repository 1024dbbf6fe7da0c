#pragma once

#include <string>
#include <variant>

#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/decide/lab_plan/lab_change.hpp"

namespace graspmap {

/// Find that the laboratory differs from the model when it has this change.
struct DetectGoal {
  LabChange change;
};

/// Show that both agree within this difference in probability when the model is right.
struct AgreeGoal {
  double within = 0.05;
};

/// Know a change so well that its interval is at most this wide, in its unit, when the model is
/// right.
struct LearnGoal {
  Change change = Change::kJawFriction;
  double width = 0.0;
};

/// What an experiment is for.
using LabGoal = std::variant<DetectGoal, AgreeGoal, LearnGoal>;

/// A goal, and how surely an experiment must reach it.
struct LabRequest {
  LabGoal goal;
  double power = 0.8;        ///< the share of experiments that must reach the goal
  double confidence = 0.95;  ///< of the tests and intervals
};

/// Whether an experiment reached its goal.
bool reached(const Agreement& agreement, const LabRequest& request);

/// The width of the interval of a change; infinite when the experiment tells nothing of it.
double interval_width(const Agreement& agreement, Change change);

/// "to find a jaw friction higher by 0.05".
std::string words(const LabGoal& goal);

}  // namespace graspmap
