#include "grasp/show/story/trial_scene.hpp"

#include <catch2/catch.hpp>

#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"

namespace graspmap {
namespace {

std::vector<std::string> texts(const std::vector<ElementLabel>& labels) {
  std::vector<std::string> texts;
  for (const ElementLabel& label : labels) texts.push_back(label.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("what is touched is named where it is touched, each name once") {
  const Scenario scenario = testing::ring_scenario();
  const TrialStory story = testing::ring_story(scenario);
  CHECK(element_labels(story, story.trajectory.front()).empty());
  const TrajectorySample& end = story.trajectory.back();
  const auto labels = element_labels(story, end);
  CHECK(texts(labels) == Texts{"arc 1", "arc 2"});
  CHECK(labels[0].at_G_mm == end.contacts[0].point_G_mm);
  CHECK(labels[0].inward_G == end.contacts[0].normal_G);
  TrialStory sought = story;
  sought.sought = {{"arc 1", {0}}};
  CHECK(texts(element_labels(sought, end)) == Texts{"arc 1", "arc 2"});
}

TEST_CASE("what a success rule names is named in the middle of an element, touched or not") {
  const Scenario scenario = testing::scenario_of(testing::hexagon());
  TrialStory story = testing::hexagon_story(scenario);
  story.sought = {{"edge 6", {5}}, {"flats", {1, 2, 3}}};
  const auto labels = element_labels(story, story.trajectory.back());
  CHECK(texts(labels) == Texts{"corner 1", "corner 6", "corner 3", "corner 4", "edge 6", "flats"});
  const Vec2 from_corner_1(-std::cos(std::numbers::pi / 6), -std::sin(std::numbers::pi / 6));
  CHECK((labels[0].inward_G - from_corner_1).norm() < 1e-12);
  CHECK((labels[4].at_G_mm - Vec2(12, -8)).norm() < 1e-12);
  CHECK((labels[4].inward_G - Vec2(-1, 0)).norm() < 1e-12);
  CHECK((labels[5].at_G_mm - Vec2(-12, -8)).norm() < 1e-12);
  CHECK((labels[5].inward_G - Vec2(1, 0)).norm() < 1e-12);
  const auto before = element_labels(story, story.trajectory.front());
  CHECK(texts(before) == Texts{"edge 6", "flats"});
}

TEST_CASE("superellipses have no names at the boundary; outlines beside them have their own") {
  TrialStory story;
  story.scenario = testing::scenario_of(testing::hexagon());
  story.scenario.part.pieces = {{"knob", {5, 5, 2}, {}}};
  story.scenario.part.outlines[0].pose = {{1, 2}, 0.0};
  story.sought = {{"knob", {0}}, {"edge 3", {1 + 2}}, {"part", {1, 6}}};
  TrajectorySample sample;
  sample.part_pose = {{0, 0}, std::numbers::pi / 2};
  sample.contacts = {testing::pushing_contact(0, JawSide::kLeft, {}, {1, 0}, 1),
                     testing::pushing_contact(1 + 2, JawSide::kLeft, {}, {1, 0}, 1)};
  const auto labels = element_labels(story, sample);
  CHECK(texts(labels) == Texts{"part: edge 3", "part"});
  CHECK((labels[1].at_G_mm - Vec2(-2, 13)).norm() < 1e-12);
  CHECK((labels[1].inward_G - Vec2(0, -1)).norm() < 1e-12);
}

ContactRecord pushing(double impulse_mn_s, bool sliding = false) {
  ContactRecord contact;
  contact.normal_G = {-1, 0};
  contact.normal_impulse_mn_s = impulse_mn_s;
  contact.sliding = sliding;
  return contact;
}

TrajectorySample step(double time_s, double step_s, const std::vector<ContactRecord>& contacts) {
  TrajectorySample sample;
  sample.time_s = time_s;
  sample.step_s = step_s;
  sample.contacts = contacts;
  return sample;
}

/// A scenario of two pieces with steps of 2 ms and a closing force of 10 N.
Scenario scenario() {
  Scenario scenario;
  scenario.part.pieces = {{"a", {1, 1, 2}, {}}, {"b", {1, 1, 2}, {}}};
  scenario.step_s = 0.002;
  return scenario;
}

TrialStory empty_story() {
  TrialStory story;
  story.scenario = scenario();
  return story;
}

TEST_CASE("the force of a full step is its impulse over the step, along normal and tangent") {
  ContactRecord contact = pushing(6);
  contact.tangential_impulse_mn_s = 2;
  CHECK(contact_force_n(contact, 0.002).isApprox(Vec2(-3, -1)));
  TrialStory story = empty_story();
  story.trajectory = {step(0, 0, {}), step(0.002, 0.002, {contact})};
  const Scene scene = scene_at(story, 1);
  REQUIRE(scene.contacts.size() == 1);
  CHECK(scene.contacts[0].force_n.isApprox(Vec2(-3, -1)));
  CHECK(largest_force_n({scene}) == Approx(std::sqrt(10.0)));
}

TEST_CASE("the force of short steps is the mean over as long as a full one") {
  TrialStory story = empty_story();
  story.trajectory = {step(0.1, 0, {}), step(0.102, 0.002, {pushing(8)}),
                      step(0.1025, 0.0005, {pushing(3)}), step(0.103, 0.0005, {pushing(1)})};
  // Half of the full step, and both short ones: (4 + 3 + 1) mN s in 2 ms.
  CHECK(scene_at(story, 3).contacts[0].force_n.isApprox(Vec2(-4, 0)));
}

TEST_CASE("the force of a long step is that of its last 2 ms, as of short ones") {
  TrialStory story = empty_story();
  story.scenario.step_s = 0.032;
  story.scenario.tolerance_mm = 0.01;
  CHECK(moment_s(story.scenario) == 0.002);
  story.trajectory = {step(0.1, 0, {}), step(0.132, 0.032, {pushing(64)}),
                      step(0.1321, 0.0001, {pushing(2)}), step(0.1331, 0.001, {pushing(1)})};
  CHECK(scene_at(story, 1).contacts[0].force_n.isApprox(Vec2(-2, 0)));
  // 0.9 ms of the long step and both short ones: (1.8 + 2 + 1) mN s in 2 ms.
  CHECK(scene_at(story, 3).contacts[0].force_n.isApprox(Vec2(-2.4, 0)));
}

TEST_CASE("a moment is a step where all are of one size, and else at most 2 ms") {
  Scenario fixed = scenario();
  CHECK(moment_s(fixed) == 0.002);
  fixed.step_s = 0.01;
  CHECK(moment_s(fixed) == 0.01);
  fixed.tolerance_mm = 0.01;
  CHECK(moment_s(fixed) == 0.002);
  fixed.step_s = 0.001;
  CHECK(moment_s(fixed) == 0.001);
}

TEST_CASE("between two scenes part, jaws and the contacts of both are between theirs") {
  Scene a;
  a.time_s = 0.1;
  a.part_pose = {{1, 2}, 0.1};
  a.jaw_right_mm = 20;
  a.jaw_left_mm = -20;
  Scene b = a;
  b.time_s = 0.14;
  b.part_pose = {{3, 2}, 0.3};
  b.jaw_right_mm = 16;
  b.jaw_left_mm = -18;
  const auto contact_at = [](const Vec2& point_G_mm, int feature) {
    SceneContact contact;
    contact.feature = feature;
    contact.point_G_mm = point_G_mm;
    return contact;
  };
  a.contacts = {contact_at({20, 4}, 1)};
  b.contacts = {contact_at({-18, 1}, 2), contact_at({16, 8}, 1)};
  const Scene early = scene_between(a, b, 0.25);
  CHECK(early.time_s == Approx(0.11));
  CHECK(early.part_pose.position_mm.isApprox(Vec2(1.5, 2)));
  CHECK(early.part_pose.angle_rad == Approx(0.15));
  CHECK(early.jaw_right_mm == Approx(19));
  CHECK(early.jaw_left_mm == Approx(-19.5));
  REQUIRE(early.contacts.size() == 1);
  CHECK(early.contacts[0].point_G_mm.isApprox(Vec2(19, 5)));
  const Scene late = scene_between(a, b, 0.75);
  REQUIRE(late.contacts.size() == 2);
  CHECK(late.contacts[0].point_G_mm.isApprox(Vec2(-18, 1)));
  CHECK(late.contacts[1].point_G_mm.isApprox(Vec2(17, 7)));
  CHECK(scene_between(a, b, 1.0).part_pose.position_mm.isApprox(Vec2(3, 2)));
}

TEST_CASE("a piece on two flanks of a finger has two contacts between two scenes") {
  const auto contact_at = [](double y_mm, int finger_feature) {
    SceneContact contact;
    contact.point_G_mm = {20, y_mm};
    contact.finger_feature = finger_feature;
    return contact;
  };
  Scene a;
  a.contacts = {contact_at(-18, 1), contact_at(-10, 2)};
  const Scene b = a;
  const Scene between = scene_between(a, b, 0.5);
  REQUIRE(between.contacts.size() == 2);
  CHECK(between.contacts[0].point_G_mm.y() == -18);
  CHECK(between.contacts[1].point_G_mm.y() == -10);
}

TEST_CASE("a force next to nothing rests, a larger one sticks or slides") {
  TrialStory story = empty_story();
  story.trajectory = {step(0, 0, {}), step(0.002, 0.002, {pushing(0.0005), pushing(1)}),
                      step(0.004, 0.002, {pushing(1, true)})};
  story.trajectory[1].contacts[1].piece = 1;
  const Scene scene = scene_at(story, 1);
  CHECK(scene.contacts[0].grip == Grip::kResting);
  CHECK(scene.contacts[1].grip == Grip::kSticking);
  CHECK(scene_at(story, 2).contacts[0].grip == Grip::kSliding);
}

TEST_CASE("the window holds the part all the way and the fingertips at the start") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {0.3, -11, 0, 0.2, 0.3});
  const PartShape shape = part_shape(config.scenario.part);
  const Box window = scene_window(story, shape);
  CHECK(window.min.x() < -32);
  CHECK(window.max.x() > 32);
  CHECK(window.max.y() > story.row.final_pose.position_mm.y() + 20.75);
  for (const TrajectorySample& sample : story.trajectory) {
    for (const Points& piece : shape.pieces) {
      for (const Vec2& p : transformed(sample.part_pose, piece)) {
        CHECK(window.contains({p, p}));
      }
    }
  }
  const Vec2 size = window.max - window.min;
  CHECK(size.y() / size.x() >= 0.6 - 1e-12);
  CHECK(size.y() / size.x() <= 1.2 + 1e-12);
}

TEST_CASE("the window shows outlines of fingers and palm near the part, and no more") {
  const Scenario scenario = testing::ring_scenario();
  const TrialStory story = testing::ring_story(scenario);
  const Box window = scene_window(story, part_shape(scenario.part));
  CHECK(window.max.y() > 11);   // the part at the start
  CHECK(window.min.y() < -25);  // the palm's top
  CHECK(window.min.y() > -50);
  CHECK(window.max.x() > 32);
  CHECK(window.max.x() < 50);
}

TEST_CASE("the window shows fingers that are no larger than the part whole") {
  Scenario scenario = testing::scenario_of(testing::hexagon());
  constexpr double kSize_mm = 24;
  const auto block = [&](double depth_mm) {
    return Outline{
        testing::polygon_loop(std::vector<Vec2>{{0, 0}, {depth_mm, 0}, {depth_mm, 6}, {0, 6}}), {}};
  };
  constexpr double kStart_mm = 32;
  for (const auto& [depth_mm, is_seen] :
       {std::pair{0.5 * kSize_mm, true}, {10 * kSize_mm, false}}) {
    scenario.gripper.right_finger = block(depth_mm);
    scenario.gripper.left_finger = mirrored(*scenario.gripper.right_finger);
    const Box window = scene_window(testing::hexagon_story(scenario), part_shape(scenario.part));
    CHECK((window.max.x() > kStart_mm + depth_mm) == is_seen);
    CHECK((window.min.x() < -kStart_mm - depth_mm) == is_seen);
  }
}

TEST_CASE("the window shows an inner side that is far from the finger's origin") {
  Scenario scenario = testing::scenario_of(testing::hexagon());
  scenario.gripper.right_finger =
      placed(testing::v_finger(), Pose2{{10, 12}, 0});  // its top 12 mm above y = 0
  scenario.gripper.left_finger = mirrored(*scenario.gripper.right_finger);
  const TrialStory story = testing::hexagon_story(scenario);
  const Box window = scene_window(story, part_shape(scenario.part));
  CHECK(window.min.x() < -42);
  CHECK(window.max.x() > 42);
  CHECK(window.max.y() > 12);
}

TEST_CASE("a window with arrows holds the tails of all forces, with room for labels") {
  const Box window{Vec2(-10, -10), Vec2(10, 10)};
  Scene scene;
  scene.contacts.push_back({0, JawSide::kRight, Vec2(9, 0), Vec2(-1, 0), Vec2(-20, 0)});
  scene.contacts.push_back({0, JawSide::kLeft, Vec2(-9, 0), Vec2(1, 0), Vec2(0, 10)});
  const double mm_per_n = arrow_mm_per_n(window, {scene}, 0.25);
  CHECK(mm_per_n == Approx(0.25 * 20 / 20));
  const Box larger = with_arrows(window, {scene}, mm_per_n);
  CHECK(larger.contains(window));
  CHECK(larger.max.x() >= 9 + 5 + 1);
  CHECK(larger.min.y() >= -10 - 5);  // the other arrow fits already
  CHECK(arrow_mm_per_n(window, {Scene{}}, 0.25) == 0);
}

TEST_CASE("an outline's shape has its holes, and one line for each loop of its boundary") {
  const Part part = testing::ring_scenario().part;
  const PartShape shape = part_shape(part);
  CHECK(shape.pieces.empty());
  REQUIRE(shape.outlines.size() == 1);
  REQUIRE(shape.outlines[0].size() == 2);
  REQUIRE(shape.boundary.size() == 2);
  for (const Vec2& p : shape.outlines[0][1]) CHECK(p.norm() == Approx(8));
  for (const Vec2& p : shape.boundary[0]) CHECK(p.norm() == Approx(15));
  for (const Points& line : shape.boundary) CHECK(line.front() == line.back());
}

TEST_CASE("forces of one piece on two flanks of a finger are not mixed up") {
  TrialStory story = empty_story();
  ContactRecord flank = pushing(4);
  flank.finger_feature = 4;
  ContactRecord other = pushing(6);
  other.finger_feature = 5;
  story.trajectory = {step(0, 0, {}), step(0.002, 0.002, {flank, other})};
  const Scene scene = scene_at(story, 1);
  CHECK(scene.contacts[0].force_n.isApprox(Vec2(-2, 0)));
  CHECK(scene.contacts[1].force_n.isApprox(Vec2(-3, 0)));
}

TEST_CASE("a part's shape lies on its pieces' boundaries") {
  const Part part = testing::small_lock_piece_sweep().scenario.part;
  const PartShape shape = part_shape(part);
  REQUIRE(shape.pieces.size() == part.pieces.size());
  for (std::size_t k = 0; k < part.pieces.size(); ++k) {
    for (const Vec2& p : shape.pieces[k]) {
      CHECK(std::abs(value(part.pieces[k].shape, inverse_transform(part.pieces[k].pose, p))) <
            1e-9);
    }
  }
  CHECK(shape.boundary.size() > 12);  // the disc's arcs between six teeth, and the teeth
}

TEST_CASE("a quarter-plane's places have their own words") {
  const Scenario scenario;
  CHECK(side_outline(scenario, JawSide::kRight) == nullptr);
  CHECK(side_outline(scenario, JawSide::kPalm) == nullptr);
  CHECK(finger_place(scenario, JawSide::kRight, JawFeature::kInsideEdge, -1) == "inside edge");
  CHECK(finger_place(scenario, JawSide::kLeft, JawFeature::kVertex, -1) == "fingertip");
  CHECK(finger_place(scenario, JawSide::kLeft, JawFeature::kTopEdge, -1) == "top edge");
  CHECK(finger_place(scenario, JawSide::kLeft, JawFeature::kVertex, 2) == "top edge");
  for (const auto& polygons : finger_shapes(scenario, 0.1)) CHECK(polygons.empty());
}

TEST_CASE("an outline's places are its elements and corners, the palm's too") {
  const Scenario scenario = testing::ring_scenario();
  const auto place = [&](JawSide side, int finger_feature) {
    return finger_place(scenario, side, JawFeature::kVertex, finger_feature);
  };
  CHECK(place(JawSide::kRight, 4) == "edge 5");
  CHECK(place(JawSide::kLeft, 6) == "edge 1");  // element 7 of the mirror image of seven
  CHECK(place(JawSide::kRight, 7) == "corner 1");
  CHECK(place(JawSide::kRight, 7 + 6) == "corner 7");
  CHECK(place(JawSide::kPalm, 2) == "seat");
  CHECK(place(JawSide::kPalm, 4 + 2) == "corner 3");
}

TEST_CASE("fingers with outlines have polygons in their own frames") {
  const FingerShapes shapes = finger_shapes(testing::ring_scenario(), 0.1);
  for (const JawSide side : {JawSide::kRight, JawSide::kLeft, JawSide::kPalm}) {
    REQUIRE(shapes[side_index(side)].size() == 1);
  }
  CHECK(shapes[0][0].size() == 7);
  CHECK(shapes[0][0][5] == Vec2(6, -10));
  CHECK(shapes[1][0][2] == Vec2(-6, -10));
  CHECK(shapes[2][0].size() == 4);
}

}  // namespace

}  // namespace graspmap
