#include "grasp/show/story/element_labels.hpp"

#include <catch2/catch.hpp>

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
  CHECK(element_labels(story, scenario.part, story.trajectory.front()).empty());
  const TrajectorySample& end = story.trajectory.back();
  const auto labels = element_labels(story, scenario.part, end);
  CHECK(texts(labels) == Texts{"arc 1", "arc 2"});
  CHECK(labels[0].at_G_mm == end.contacts[0].point_G_mm);
  CHECK(labels[0].inward_G == end.contacts[0].normal_G);
  TrialStory sought = story;
  sought.sought = {{"arc 1", {0}}};
  CHECK(texts(element_labels(sought, scenario.part, end)) == Texts{"arc 1", "arc 2"});
}

TEST_CASE("what a success rule names is named in the middle of an element, touched or not") {
  const Scenario scenario = testing::scenario_of(testing::hexagon());
  TrialStory story = testing::hexagon_story(scenario);
  story.sought = {{"edge 6", {5}}, {"flats", {1, 2, 3}}};
  const auto labels = element_labels(story, scenario.part, story.trajectory.back());
  CHECK(texts(labels) == Texts{"corner 1", "corner 6", "corner 3", "corner 4", "edge 6", "flats"});
  const Vec2 from_corner_1(-std::cos(std::numbers::pi / 6), -std::sin(std::numbers::pi / 6));
  CHECK((labels[0].inward_G - from_corner_1).norm() < 1e-12);
  CHECK((labels[4].at_G_mm - Vec2(12, -8)).norm() < 1e-12);
  CHECK((labels[4].inward_G - Vec2(-1, 0)).norm() < 1e-12);
  CHECK((labels[5].at_G_mm - Vec2(-12, -8)).norm() < 1e-12);
  CHECK((labels[5].inward_G - Vec2(1, 0)).norm() < 1e-12);
  const auto before = element_labels(story, scenario.part, story.trajectory.front());
  CHECK(texts(before) == Texts{"edge 6", "flats"});
}

TEST_CASE("superellipses have no names at the boundary; outlines beside them have their own") {
  Scenario scenario = testing::scenario_of(testing::hexagon());
  scenario.part.pieces = {{"knob", {5, 5, 2}, {}}};
  scenario.part.outlines[0].pose = {{1, 2}, 0.0};
  TrialStory story;
  story.sought = {{"knob", {0}}, {"edge 3", {1 + 2}}, {"part", {1, 6}}};
  TrajectorySample sample;
  sample.part_pose = {{0, 0}, std::numbers::pi / 2};
  sample.contacts = {testing::pushing_contact(0, JawSide::kLeft, {}, {1, 0}, 1),
                     testing::pushing_contact(1 + 2, JawSide::kLeft, {}, {1, 0}, 1)};
  const auto labels = element_labels(story, scenario.part, sample);
  CHECK(texts(labels) == Texts{"part: edge 3", "part"});
  CHECK((labels[1].at_G_mm - Vec2(-2, 13)).norm() < 1e-12);
  CHECK((labels[1].inward_G - Vec2(0, -1)).norm() < 1e-12);
}

}  // namespace
}  // namespace graspmap
