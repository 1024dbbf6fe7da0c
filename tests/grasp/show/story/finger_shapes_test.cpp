#include "grasp/show/story/finger_shapes.hpp"

#include <catch2/catch.hpp>

#include "tests/support/outline_stories.hpp"

namespace graspmap {
namespace {

TEST_CASE("a quarter-plane's places have their own words") {
  const Gripper gripper;
  CHECK(finger_outline(gripper, JawSide::kRight) == nullptr);
  CHECK(finger_outline(gripper, JawSide::kPalm) == nullptr);
  CHECK(finger_place(gripper, JawSide::kRight, JawFeature::kInsideEdge, -1) == "inside edge");
  CHECK(finger_place(gripper, JawSide::kLeft, JawFeature::kVertex, -1) == "fingertip");
  CHECK(finger_place(gripper, JawSide::kLeft, JawFeature::kTopEdge, -1) == "top edge");
  CHECK(finger_place(gripper, JawSide::kLeft, JawFeature::kVertex, 2) == "top edge");
  for (const auto& polygons : finger_shapes(gripper, 0.1)) CHECK(polygons.empty());
}

TEST_CASE("an outline's places are its elements and corners, the palm's too") {
  const Gripper gripper = testing::ring_scenario().gripper;
  const auto place = [&](JawSide side, int finger_feature) {
    return finger_place(gripper, side, JawFeature::kVertex, finger_feature);
  };
  CHECK(place(JawSide::kRight, 4) == "edge 5");
  CHECK(place(JawSide::kLeft, 6) == "edge 7");
  CHECK(place(JawSide::kRight, 7) == "corner 1");
  CHECK(place(JawSide::kRight, 7 + 6) == "corner 7");
  CHECK(place(JawSide::kPalm, 2) == "seat");
  CHECK(place(JawSide::kPalm, 4 + 2) == "corner 3");
}

TEST_CASE("fingers with outlines have polygons in their own frames") {
  const FingerShapes shapes = finger_shapes(testing::ring_scenario().gripper, 0.1);
  for (const JawSide side : kJawSides) {
    REQUIRE(shapes[side_index(side)].size() == 1);
  }
  CHECK(shapes[0][0].size() == 7);
  CHECK(shapes[0][0][5] == Vec2(6, -10));
  CHECK(shapes[1][0][2] == Vec2(-6, -10));
  CHECK(shapes[2][0].size() == 4);
}

}  // namespace
}  // namespace graspmap
