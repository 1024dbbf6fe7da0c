#pragma once

#include <filesystem>
#include <numbers>

#include "geometry/finger_shape.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

// The numbers of a finger's shape.
/// A tenth of what fingers reach, so that all features lie far from their ends.
inline constexpr double kMostFinger_mm = 0.1 * kFingerReach_mm;
inline constexpr NumberRange kFingerLengths{.min = 0.0, .max = kMostFinger_mm, .above_min = true};
inline constexpr NumberRange kGroovePositions{.min = -kMostFinger_mm, .max = 0.0};
inline constexpr NumberRange kChamferAngles{
    .min = 0.0, .max = 0.499 * std::numbers::pi, .above_min = true};
inline constexpr NumberRange kGrooveAngles{
    .min = 0.0, .max = 0.9 * std::numbers::pi, .above_min = true};

/// Reads the tables finger, left_finger and palm of [gripper], where there are any; `folder` is
/// where drawings are. Without left_finger, the left finger is the mirror image. Throws
/// ConfigError.
void read_fingers(const TomlTable& gripper_table, const std::filesystem::path& folder,
                  Gripper& gripper);

/// Throws ConfigError when fingers that reach beyond the inner edges of their frames would cross
/// each other before the jaws count as closed: nothing else stops them from it.
void check_fingers_apart(const TomlTable& gripper_table, const Gripper& gripper,
                         double closed_opening_mm);

}  // namespace graspmap
