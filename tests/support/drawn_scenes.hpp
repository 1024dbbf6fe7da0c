#pragma once

#include "tests/support/outlines.hpp"
#include "tests/support/scenes.hpp"

namespace graspmap::testing {

/// Gives the gripper a right finger and its mirror image.
inline void set_fingers(Gripper& gripper, const Outline& right) {
  gripper.right_finger = right;
  gripper.left_finger = mirrored(right);
}

/// A drawn part of 5 mm aluminium, as plate_scenario.
inline Scenario drawn_scenario(const OutlineLoop& loop, double margin_mm = 10.0) {
  Part part;
  part.outlines.push_back({"drawn", {loop, {}}, {}});
  return plate_scenario(part, margin_mm);
}

}  // namespace graspmap::testing
