#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// In what a laboratory may differ from the model.
enum class LabDifference {
  kJawFriction,      ///< the mean of the jaws' friction law
  kSupportFriction,  ///< the mean of the table's friction law
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

/// "a jaw friction higher by 0.05", "a part larger by 2 %".
std::string words(const LabChange& change);

/// A laboratory in which the change is there.
struct ChangedLab {
  SweepConfig config;
  IntendedPlacement offset;  ///< what is added to each intended placement
};

/// The laboratory with a change. The friction law is shifted, with its bounds. The part is scaled
/// about its origin P, at the same thickness and density, and its support with it. Throws
/// ConfigError when a friction would become negative, or a size 0.
ChangedLab changed_lab(const SweepConfig& config, const LabChange& change);

}  // namespace graspmap
