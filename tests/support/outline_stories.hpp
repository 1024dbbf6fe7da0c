#pragma once

#include <cmath>
#include <numbers>

#include "geometry/closest_points.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "tests/support/outline_shapes.hpp"

namespace graspmap::testing {

/// A chain of segments.
inline OutlineLoop polygon_loop(const std::vector<Vec2>& corners) {
  OutlineLoop loop;
  for (const Vec2& corner : corners) loop.push_back({corner, 0.0, ""});
  return loop;
}

/// A circle about the origin in two arcs; `bulge` is 1, or -1 for a hole.
inline OutlineLoop circle_loop(double radius_mm, double bulge) {
  return {{{radius_mm, 0}, bulge, ""}, {{-radius_mm, 0}, bulge, ""}};
}

/// A regular hexagon; two of its edges, number 3 and 6, are parallel to y and 24 mm apart.
inline Outline hexagon() {
  std::vector<Vec2> corners;
  for (int k = 0; k < 6; ++k) {
    const double angle = std::numbers::pi * (2 * k + 1) / 6.0;
    corners.emplace_back(24.0 / std::numbers::sqrt3 * Vec2(std::cos(angle), std::sin(angle)));
  }
  return {polygon_loop(corners), {}};
}

/// An L with legs of 30 mm, 8 mm wide, and a fillet of 4 mm in its inner corner, element 4.
inline Outline bracket() {
  OutlineLoop loop = polygon_loop({{0, 0}, {30, 0}, {30, 8}, {12, 8}, {8, 12}, {8, 30}, {0, 30}});
  loop[3].bulge = -std::tan(std::numbers::pi / 8.0);
  return {loop, {}};
}

inline Outline ring() { return {circle_loop(15, 1), {circle_loop(8, -1)}}; }

/// A right finger with a V-groove 6 mm deep about y = -10: its flanks are its elements 5 and 6,
/// 3 and 2 of its mirror image.
inline Outline v_finger() {
  return {polygon_loop({{0, -1e4}, {1e4, -1e4}, {1e4, 0}, {0, 0}, {0, -2}, {6, -10}, {0, -18}}),
          {}};
}

/// Everything below y = -25, far to all sides; its top is element 3, "seat".
inline Outline palm() {
  OutlineLoop loop = polygon_loop({{-1e4, -1e4}, {1e4, -1e4}, {1e4, -25}, {-1e4, -25}});
  loop[2].name = "seat";
  return {loop, {}};
}

inline Scenario scenario_of(const Outline& outline) {
  Scenario scenario;
  scenario.part.outlines = {{"part", outline, {}}};
  return scenario;
}

/// A contact that pushes with `force_n` for a step of 2 ms.
inline ContactRecord pushing_contact(int feature, JawSide side, const Vec2& point_G_mm,
                                     const Vec2& normal_G, double force_n,
                                     int finger_feature = -1) {
  ContactRecord contact;
  contact.piece = feature;
  contact.side = side;
  contact.feature = JawFeature::kInsideEdge;
  contact.finger_feature = finger_feature;
  contact.point_G_mm = point_G_mm;
  contact.normal_G = normal_G;
  contact.normal_impulse_mn_s = 2.0 * force_n;
  return contact;
}

/// A trial from `start` to `end` in 20 equal steps, in which the jaws close from +-32 mm to
/// +-`closed_mm` and the contacts are there at the end.
inline TrialStory story_of(const Scenario& scenario, const Pose2& start, const Pose2& end,
                           double closed_mm, const std::vector<ContactRecord>& contacts) {
  constexpr int kSteps = 20;
  TrialStory story;
  story.scenario = scenario;
  ContactWatcher watcher(scenario.stop.contact_gap_mm, scenario.stop.stopped_speed_mm_s);
  for (int k = 0; k <= kSteps; ++k) {
    const double s = static_cast<double>(k) / kSteps;
    TrajectorySample sample;
    sample.time_s = 0.002 * k;
    sample.step_s = k == 0 ? 0.0 : 0.002;
    sample.part_pose = {start.position_mm + s * (end.position_mm - start.position_mm),
                        start.angle_rad + s * (end.angle_rad - start.angle_rad)};
    sample.state.jaw_right_mm = 32.0 + s * (closed_mm - 32.0);
    sample.state.jaw_left_mm = -sample.state.jaw_right_mm;
    if (k == kSteps) sample.contacts = contacts;
    StepRecord step;
    step.time_s = sample.time_s;
    step.contacts = &sample.contacts;
    watcher.observe(step, story.events);
    story.trajectory.push_back(sample);
  }
  story.row.outcome = Outcome::kSuccess;
  story.row.end_time_s = 0.002 * kSteps;
  story.row.parameters.mu_jaw = 0.2;
  story.end = EndReason::kStopped;
  return story;
}

/// A hexagon that the jaws turn until its edges 3 and 6 lie flat: corners touch their inside edges.
inline TrialStory hexagon_story(const Scenario& scenario) {
  const double half_mm = 12.0 / std::numbers::sqrt3;
  return story_of(scenario, {{2, -5}, 0.3}, {{0, -8}, 0.0}, 12.0,
                  {pushing_contact(6, JawSide::kRight, {12, half_mm - 8}, {-1, 0}, 4),
                   pushing_contact(11, JawSide::kRight, {12, -half_mm - 8}, {-1, 0}, 6),
                   pushing_contact(8, JawSide::kLeft, {-12, half_mm - 8}, {1, 0}, 5),
                   pushing_contact(9, JawSide::kLeft, {-12, -half_mm - 8}, {1, 0}, 5)});
}

/// A ring that V-fingers centre: each of its arcs touches both flanks.
inline TrialStory ring_story(const Scenario& scenario) {
  const double angle = std::atan2(6.0, 8.0);  // between a flank and y
  const Vec2 up(std::cos(angle), std::sin(angle));
  const Vec2 down(std::cos(angle), -std::sin(angle));
  const auto at = [](const Vec2& direction) { return Vec2(Vec2(0, -10) + 15.0 * direction); };
  const double closed_mm = 15.0 / std::cos(angle) - 6.0;
  return story_of(
      scenario, {{3, -4}, 0.0}, {{0, -10}, 0.2}, closed_mm,
      {pushing_contact(0, JawSide::kRight, at(up), -up, 6, 4),
       pushing_contact(1, JawSide::kRight, at(down), -down, 6, 5),
       pushing_contact(0, JawSide::kLeft, at({-up.x(), up.y()}), {up.x(), -up.y()}, 6, 2),
       pushing_contact(1, JawSide::kLeft, at({-down.x(), down.y()}), {up.x(), up.y()}, 6, 1),
       pushing_contact(1, JawSide::kPalm, {0, -25}, {0, 1}, 3, 2)});
}

/// V-fingers and a palm about a ring.
inline Scenario ring_scenario() {
  Scenario scenario = scenario_of(ring());
  scenario.gripper.right_finger = v_finger();
  scenario.gripper.left_finger = mirrored(v_finger());
  scenario.gripper.palm = palm();
  return scenario;
}

}  // namespace graspmap::testing
