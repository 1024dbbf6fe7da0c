#include "grasp/show/story/trial_scene.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"
#include "geometry/part.hpp"
#include "geometry/types.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/show/story/trial_report.hpp"

namespace graspmap {
namespace {

bool is_of_outline(const Part& part, int feature) { return index(feature) >= part.pieces.size(); }

/// An element of an outline, or the corner at its begin.
struct OutlineFeature {
  const OutlinePiece* piece = nullptr;
  std::size_t k = 0;
  bool is_corner = false;
};

OutlineFeature outline_feature(const Part& part, int feature) {
  std::size_t outline = 0;
  while (feature >= first_feature(part, outline + 1)) ++outline;
  const OutlinePiece& piece = part.outlines[outline];
  const std::size_t k = index(feature - first_feature(part, outline));
  const std::size_t n = piece.outline.outer.size();
  return {&piece, k % n, k >= n};
}

OutlineCurve element_curve(const OutlineLoop& loop, std::size_t k) {
  return outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge);
}

/// Halfway between the inward normals of both elements at a corner.
Vec2 inward_at_corner(const OutlineLoop& loop, std::size_t k) {
  const std::size_t before = (k + loop.size() - 1) % loop.size();
  return (perp(tangent_at(element_curve(loop, before), 1.0)) +
          perp(tangent_at(element_curve(loop, k), 0.0)))
      .normalized();
}

ElementLabel label_of_contact(const Part& part, const Pose2& X_GP, const ContactRecord& contact) {
  ElementLabel label{feature_name(part, contact.piece), contact.point_G_mm, contact.normal_G};
  const auto [piece, k, is_corner] = outline_feature(part, contact.piece);
  if (is_corner) {
    const Rotation2 R_GA(X_GP.angle_rad + piece->pose.angle_rad);
    label.inward_G = R_GA * inward_at_corner(piece->outline.outer, k);
  }
  return label;
}

/// The label of elements that a success rule names, in the middle of one of them: their own name
/// if they have one, else the rule's, which is that of a piece.
ElementLabel label_in_middle(const Part& part, const Pose2& X_GP, const TouchTarget& sought) {
  const int feature = sought.features[sought.features.size() / 2];
  const std::string own = feature_name(part, feature);
  const bool is_own = own == feature_name(part, sought.features.front()) &&
                      own == feature_name(part, sought.features.back());
  const OutlineFeature element = outline_feature(part, feature);
  const OutlinePiece* piece = element.piece;
  const OutlineCurve curve = element_curve(piece->outline.outer, element.k);
  const Rotation2 R_GA(X_GP.angle_rad + piece->pose.angle_rad);
  return {is_own ? own : sought.name, transform(X_GP, transform(piece->pose, point_at(curve, 0.5))),
          R_GA * perp(tangent_at(curve, 0.5))};
}

}  // namespace

std::vector<ElementLabel> element_labels(const TrialStory& story, const TrajectorySample& sample) {
  const Part& part = story.scenario.part;
  std::vector<ElementLabel> labels;
  const auto add = [&](const ElementLabel& label) {
    const bool is_there = std::any_of(labels.begin(), labels.end(), [&](const ElementLabel& other) {
      return other.text == label.text;
    });
    if (!is_there) labels.push_back(label);
  };
  for (const ContactRecord& contact : sample.contacts) {
    if (!is_of_outline(part, contact.piece)) continue;
    add(label_of_contact(part, sample.part_pose, contact));
  }
  for (const TouchTarget& sought : story.sought) {
    if (sought.features.empty() || !is_of_outline(part, sought.features.front())) continue;
    add(label_in_middle(part, sample.part_pose, sought));
  }
  return labels;
}

namespace {

/// The mean force of the pair of `contact` over the last `mean_s` before the end of step `k`, N.
Vec2 mean_force_n(const std::vector<TrajectorySample>& trajectory, std::size_t k,
                  const ContactRecord& contact, double mean_s) {
  Vec2 impulse_n_s = Vec2::Zero();
  double remaining_s = mean_s;
  for (; remaining_s > 0 && trajectory[k].step_s > 0; --k) {
    const TrajectorySample& sample = trajectory[k];
    const double within_s = std::min(sample.step_s, remaining_s);
    remaining_s -= sample.step_s;
    for (const ContactRecord& other : sample.contacts) {
      if (pair_of(other) != pair_of(contact)) continue;
      impulse_n_s += contact_force_n(other, sample.step_s) * within_s;
    }
  }
  return impulse_n_s / mean_s;
}

Grip grip_of(const ContactRecord& contact, const Vec2& force_n, double closing_force_n) {
  constexpr double kNothing = 5e-5;  // of the closing force
  if (force_n.norm() < kNothing * closing_force_n) return Grip::kResting;
  return contact.sliding ? Grip::kSliding : Grip::kSticking;
}

void include(Box& box, const Vec2& point) {
  box.min = box.min.cwiseMin(point);
  box.max = box.max.cwiseMax(point);
}

/// Includes a finger or the palm at x_mm: what lies within `near`, and each side that is no farther
/// than `far`, so that a finger is seen whole unless the part would be small beside it.
void include_outline(Box& box, const Outline& outline, double x_mm, const Box& near,
                     const Box& far) {
  constexpr double kRough_mm = 0.1;
  const Points points = loop_points(outline.outer, kRough_mm);
  Box extent{points.front(), points.front()};
  for (const Vec2& point : points) include(extent, point);
  Box shown = near;
  for (const int k : {0, 1}) {
    const double shift = k == 0 ? x_mm : 0.0;
    if (extent.min[k] + shift >= far.min[k]) shown.min[k] = far.min[k];
    if (extent.max[k] + shift <= far.max[k]) shown.max[k] = far.max[k];
  }
  for (const Vec2& point : points) {
    include(box, (point + Vec2(x_mm, 0.0)).cwiseMax(shown.min).cwiseMin(shown.max));
  }
}

/// The value `share` of the way from `a` to `b`.
template <typename Value>
Value mixed(const Value& a, const Value& b, double share) {
  return a + share * (b - a);
}

/// Moves the points of the contacts that `other` has too by `share` of the way to theirs.
void mix_contacts(const Scene& other, double share, Scene& scene) {
  for (SceneContact& contact : scene.contacts) {
    const auto same =
        std::find_if(other.contacts.begin(), other.contacts.end(), [&](const SceneContact& c) {
          return c.feature == contact.feature && c.side == contact.side &&
                 c.finger_feature == contact.finger_feature && c.obstacle == contact.obstacle;
        });
    if (same == other.contacts.end()) continue;
    contact.point_G_mm = mixed(contact.point_G_mm, same->point_G_mm, share);
  }
}

Pose2 mixed(const Pose2& a, const Pose2& b, double share) {
  return {mixed(a.position_mm, b.position_mm, share), mixed(a.angle_rad, b.angle_rad, share)};
}

/// Gripper and part between theirs on the table: a part that rests does so while the gripper turns.
void mix_on_table(const Scene& a, const Scene& b, double share, Scene& scene) {
  scene.gripper = mixed(*a.gripper, *b.gripper, share);
  const Pose2 part =
      mixed(compose(*a.gripper, a.part_pose), compose(*b.gripper, b.part_pose), share);
  scene.part_pose = {inverse_transform(*scene.gripper, part.position_mm),
                     part.angle_rad - scene.gripper->angle_rad};
}

/// Makes a box wider or higher, about its middle, until it has the proportions of a picture.
Box proportioned(const Box& box) {
  constexpr double kLeastAspect = 0.6;
  constexpr double kMostAspect = 1.2;
  const Vec2 size = box.max - box.min;
  return box_about(0.5 * (box.min + box.max), {std::max(size.x(), size.y() / kMostAspect),
                                               std::max(size.y(), size.x() * kLeastAspect)});
}

}  // namespace

Scene scene_at(const TrialStory& story, std::size_t k) {
  GRASPMAP_CHECK(k < story.trajectory.size());
  const TrajectorySample& sample = story.trajectory[k];
  Scene scene{sample.time_s,
              sample.part_pose,
              sample.state.jaw_right_mm,
              sample.state.jaw_left_mm,
              {},
              element_labels(story, sample)};
  if (uses_table(story.scenario)) scene.gripper = sample.state.gripper;
  scene.phase = sample.phase;
  const auto friction = friction_by_side(story.scenario.gripper, story.row.parameters);
  const auto friction_at = [&](const ContactRecord& contact) {
    if (contact.side != JawSide::kObstacle) return friction[side_index(contact.side)];
    return friction_of(story.scenario.obstacles[index(contact.obstacle)],
                       story.row.parameters.mu_jaw);
  };
  for (const ContactRecord& contact : sample.contacts) {
    const Vec2 force_n = mean_force_n(story.trajectory, k, contact, moment_s(story.scenario));
    scene.contacts.push_back(
        {contact.piece, contact.side, contact.point_G_mm, contact.normal_G, force_n,
         grip_of(contact, force_n, story.scenario.gripper.closing_force_n),
         friction_at(contact) * friction_factor(story.scenario.part, contact.piece),
         contact.finger_feature, contact.obstacle});
  }
  return scene;
}

Scene scene_between(const Scene& a, const Scene& b, double share) {
  GRASPMAP_CHECK(share >= 0.0 && share <= 1.0);
  const bool late = share > 0.5;
  Scene scene = late ? b : a;
  mix_contacts(late ? a : b, late ? 1.0 - share : share, scene);
  scene.time_s = mixed(a.time_s, b.time_s, share);
  scene.part_pose = mixed(a.part_pose, b.part_pose, share);
  scene.jaw_right_mm = mixed(a.jaw_right_mm, b.jaw_right_mm, share);
  scene.jaw_left_mm = mixed(a.jaw_left_mm, b.jaw_left_mm, share);
  if (a.gripper && b.gripper) mix_on_table(a, b, share, scene);
  return scene;
}

Pose2 side_pose(const Scene& scene, JawSide side) {
  switch (side) {
    case JawSide::kRight:
      return {{scene.jaw_right_mm, 0.0}, 0.0};
    case JawSide::kLeft:
      return {{scene.jaw_left_mm, 0.0}, 0.0};
    case JawSide::kPalm:
      break;
    case JawSide::kObstacle:
      return inverse(scene.gripper.value_or(Pose2{}));
  }
  return {};
}

std::vector<std::size_t> evenly_in_time(const std::vector<TrajectorySample>& trajectory,
                                        std::size_t most) {
  GRASPMAP_CHECK(!trajectory.empty() && most >= 2);
  std::vector<std::size_t> kept;
  const double step_s = trajectory.back().time_s / static_cast<double>(most - 1);
  for (std::size_t k = 0; k < trajectory.size(); ++k) {
    const bool is_last = k + 1 == trajectory.size();
    const bool is_due = trajectory.size() <= most ||
                        trajectory[k].time_s >= step_s * static_cast<double>(kept.size());
    // The last place is the end's.
    if (is_last || (is_due && kept.size() + 1 < most)) kept.push_back(k);
  }
  return kept;
}

std::vector<Vec2> table_marks(const Box& window, const Pose2& gripper) {
  constexpr double kMarks = 8.0;  // across the window, about
  const Vec2 size = window.max - window.min;
  const double apart_mm = round_below(size.maxCoeff() / kMarks);
  const Vec2 middle = transform(gripper, 0.5 * (window.min + window.max)) / apart_mm;
  const Vec2 nearest(std::round(middle.x()), std::round(middle.y()));
  const auto reach = static_cast<int>(std::ceil(size.norm() / (2.0 * apart_mm)));
  std::vector<Vec2> marks;
  for (int i = -reach; i <= reach; ++i) {
    for (int j = -reach; j <= reach; ++j) {
      const Vec2 mark = inverse_transform(gripper, apart_mm * (nearest + Vec2(i, j)));
      const bool inside =
          (mark.array() >= window.min.array()).all() && (mark.array() <= window.max.array()).all();
      if (inside) marks.push_back(mark);
    }
  }
  return marks;
}

double largest_force_n(const std::vector<Scene>& scenes) {
  double largest = 0.0;
  for (const Scene& scene : scenes) {
    for (const SceneContact& contact : scene.contacts) {
      largest = std::max(largest, contact.force_n.norm());
    }
  }
  return largest;
}

Box scene_window(const TrialStory& story, const PartShape& shape) {
  constexpr double kMargin = 0.05;     // of the larger side
  constexpr double kMostFinger = 0.6;  // of it, beyond part and fingertips
  const State& start = story.trajectory.front().state;
  Box box{{start.jaw_left_mm, 0.0}, {start.jaw_right_mm, 0.0}};
  for (const TrajectorySample& sample : story.trajectory) {
    for (const Points& arc : shape.boundary) {
      for (const Vec2& point : transformed(sample.part_pose, arc)) include(box, point);
    }
  }
  const double margin = kMargin * (box.max - box.min).maxCoeff();
  const double jaw_depth = 3.0 * margin;  // so much of the jaws is seen, at least
  const auto around = [&, part = box](double distance) {
    return Box{part.min - Vec2::Constant(distance), part.max + Vec2::Constant(distance)};
  };
  const Box near = around(jaw_depth);
  const Box far = around(kMostFinger * (box.max - box.min).maxCoeff());
  include(box, {0.0, -jaw_depth});
  const Scene scene{0.0, {}, start.jaw_right_mm, start.jaw_left_mm, {}, {}};
  for (const JawSide side : {JawSide::kRight, JawSide::kLeft, JawSide::kPalm}) {
    const Outline* outline = side_outline(story.scenario, side);
    if (outline == nullptr) continue;
    include_outline(box, *outline, side_pose(scene, side).position_mm.x(), near, far);
  }
  return proportioned({box.min - Vec2::Constant(margin), box.max + Vec2::Constant(margin)});
}

double arrow_mm_per_n(const Box& window, const std::vector<Scene>& scenes, double share) {
  const double largest_n = largest_force_n(scenes);
  return largest_n > 0.0 ? share * (window.max - window.min).minCoeff() / largest_n : 0.0;
}

Box with_arrows(const Box& window, const std::vector<Scene>& scenes, double mm_per_n) {
  constexpr double kLabel = 0.05;  // of the larger side
  const Vec2 room = Vec2::Constant(kLabel * (window.max - window.min).maxCoeff());
  Box box = window;
  for (const Scene& scene : scenes) {
    for (const SceneContact& contact : scene.contacts) {
      const Vec2 tail = contact.point_G_mm - mm_per_n * contact.force_n;
      include(box, tail - room);
      include(box, tail + room);
    }
  }
  return proportioned(box);
}

const Outline* side_outline(const Scenario& scenario, JawSide side, int obstacle) {
  if (side == JawSide::kObstacle) return &scenario.obstacles[index(obstacle)].outline;
  const Gripper& gripper = scenario.gripper;
  const std::array outlines = {&gripper.right_finger, &gripper.left_finger, &gripper.palm};
  const std::optional<Outline>& outline = *outlines[side_index(side)];
  return outline ? &*outline : nullptr;
}

std::string finger_place(const Scenario& scenario, JawSide side, JawFeature feature,
                         int finger_feature, int obstacle) {
  const Outline* outline = side_outline(scenario, side, obstacle);
  if (outline == nullptr) {
    // Beside a palm, a quarter-plane's places are counted in the order of JawFeature.
    return word(finger_feature < 0 ? feature : static_cast<JawFeature>(finger_feature));
  }
  const std::size_t n = outline->outer.size();
  const std::size_t k = index(finger_feature);
  return k < n ? element_name(outline->outer, k) : corner_name(outline->outer, k - n);
}

FingerShapes finger_shapes(const Scenario& scenario, double tolerance_mm) {
  FingerShapes shapes;
  for (const JawSide side : kJawSides) {
    const std::size_t count = side == JawSide::kObstacle ? scenario.obstacles.size() : 1;
    for (std::size_t k = 0; k < count; ++k) {
      const Outline* outline = side_outline(scenario, side, static_cast<int>(k));
      if (outline == nullptr) continue;
      std::vector<Points>& polygons = shapes[side_index(side)];
      for (Points& polygon : outline_polygons(*outline, tolerance_mm)) {
        polygons.push_back(std::move(polygon));
      }
    }
  }
  return shapes;
}

}  // namespace graspmap
