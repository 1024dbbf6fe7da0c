#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// In what a laboratory may differ from the model.
enum class LabDifference {
  kJawFriction,      ///< the mean of the jaws' friction distribution
  kSupportFriction,  ///< the mean of the table's friction distribution
  kShiftX,           ///< the gripper is off in x (mm)
  kShiftY,           ///< the gripper is off in y (mm)
  kTurn,             ///< the part is turned (rad)
  kSizeMm,           ///< the largest extent of the part, about its origin (mm)
  kSizePercent       ///< all lengths of the part (percent)
};
inline constexpr std::array kLabDifferences = {
    LabDifference::kJawFriction, LabDifference::kSupportFriction,
    LabDifference::kShiftX,      LabDifference::kShiftY,
    LabDifference::kTurn,        LabDifference::kSizeMm,
    LabDifference::kSizePercent};

/// As a person types it: "jaw_friction", "support_friction", "shift_x_mm", "shift_y_mm",
/// "turn_rad", "size_mm", "size_percent".
const char* key(LabDifference difference);

/// A difference between laboratory and model that an experiment has to find.
struct LabChange {
  LabDifference difference = LabDifference::kJawFriction;
  double amount = 0.0;  ///< in the unit of the difference, not 0
};

/// Reads "KEY=NUMBER". Throws ConfigError in one line.
LabChange parse_lab_change(std::string_view text);
/// The change with this name and an amount other than 0. Throws ConfigError.
LabChange lab_change(std::string_view name, double amount);

/// "a jaw friction higher by 0.05", "a part larger by 2 %".
std::string words(const LabChange& change);

/// A laboratory in which the change is there.
struct ChangedLab {
  SweepConfig config;
  IntendedPlacement offset;  ///< what is added to each intended placement
};

/// The laboratory with a change. The friction distribution is shifted, with its bounds. The part is
/// scaled about its origin P, at the same thickness and density, and its support with it. Throws
/// ConfigError when a friction would become negative, or a size 0.
ChangedLab changed_lab(const SweepConfig& config, const LabChange& change);

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

/// Make so many trials: what can they show?
struct TrialsGoal {
  std::int64_t trials = 0;
};

/// What an experiment is for.
using LabGoal = std::variant<DetectGoal, AgreeGoal, LearnGoal, TrialsGoal>;

/// A goal, and how surely an experiment must reach it.
struct LabRequest {
  LabGoal goal;
  double power = 0.8;        ///< the share of experiments that must reach the goal
  double confidence = 0.95;  ///< of the tests and intervals
};

/// Whether an experiment reached its goal.
bool reached(const Agreement& agreement, const LabRequest& request);

/// The width of the interval of a change; infinite when the experiment shows nothing of it.
double interval_width(const Agreement& agreement, Change change);

/// "to find a jaw friction higher by 0.05".
std::string words(const LabGoal& goal);

}  // namespace graspmap
