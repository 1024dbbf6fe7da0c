#include "grasp/show/story/finger_shapes.hpp"

#include "geometry/index.hpp"
#include "grasp/base/pictures/polygons.hpp"
#include "grasp/show/story/trial_words.hpp"

namespace graspmap {

const Outline* finger_outline(const Gripper& gripper, JawSide side) {
  const std::array outlines = {&gripper.right_finger, &gripper.left_finger, &gripper.palm};
  const std::optional<Outline>& outline = *outlines[side_index(side)];
  return outline ? &*outline : nullptr;
}

std::string finger_place(const Gripper& gripper, JawSide side, JawFeature feature,
                         int finger_feature) {
  const Outline* outline = finger_outline(gripper, side);
  if (outline == nullptr) {
    // Beside a palm, a quarter-plane's places are counted in the order of JawFeature.
    return word(finger_feature < 0 ? feature : static_cast<JawFeature>(finger_feature));
  }
  const std::size_t n = outline->outer.size();
  const std::size_t k = index(finger_feature);
  return k < n ? element_name(outline->outer, k) : "corner " + std::to_string(k - n + 1);
}

FingerShapes finger_shapes(const Gripper& gripper, double tolerance_mm) {
  FingerShapes shapes;
  for (const JawSide side : kJawSides) {
    const Outline* outline = finger_outline(gripper, side);
    if (outline == nullptr) continue;
    shapes[side_index(side)] = outline_polygons(*outline, tolerance_mm);
  }
  return shapes;
}

}  // namespace graspmap
