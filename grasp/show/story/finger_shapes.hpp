#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/closing/fingers.hpp"

namespace graspmap {

/// The outline of a finger or of the palm; nullptr: a quarter-plane, or no palm.
const Outline* finger_outline(const Gripper& gripper, JawSide side);

/// What a place on a finger or on the palm is called: of a quarter-plane "inside edge",
/// "fingertip", "top edge"; of an outline the name of the element or "corner 3"
/// (ContactRecord::finger_feature).
std::string finger_place(const Gripper& gripper, JawSide side, JawFeature feature,
                         int finger_feature);

/// The outlines of the fingers and of the palm as polygons (outline_polygons), each in its own
/// frame, by their side; none for a quarter-plane and where there is no palm.
using FingerShapes = std::array<std::vector<std::vector<Vec2>>, kJawSides.size()>;

/// The tolerance of pictures.
inline constexpr double kFingerTolerance_px = 0.1;

FingerShapes finger_shapes(const Gripper& gripper, double tolerance_mm);

}  // namespace graspmap
