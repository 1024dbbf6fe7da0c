#include "grasp/story/trial_scene.hpp"

#include <algorithm>
#include <numbers>

#include "geometry/union_boundary.hpp"

namespace graspmap {
namespace {

constexpr int kPointsPerTurn = 120;

/// Points of a piece's boundary, in P, at equal steps of the parameter from `begin` to `end`.
Points arc_points(const Piece& piece, double begin, double end) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const int steps = 1 + static_cast<int>(kPointsPerTurn * (end - begin) / kTurn);
  Points points;
  for (int k = 0; k <= steps; ++k) {
    const double t = begin + (end - begin) * k / steps;
    points.push_back(transform(piece.pose, boundary_point(piece.shape, t).position_mm));
  }
  return points;
}

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
      if (other.piece != contact.piece || other.side != contact.side) continue;
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

/// Makes a box wider or higher, about its middle, until it has the proportions of a picture.
Box proportioned(const Box& box) {
  constexpr double kLeastAspect = 0.6;
  constexpr double kMostAspect = 1.2;
  const Vec2 size = box.max - box.min;
  return box_about(0.5 * (box.min + box.max), {std::max(size.x(), size.y() / kMostAspect),
                                               std::max(size.y(), size.x() * kLeastAspect)});
}

}  // namespace

PartShape part_shape(const Part& part) {
  PartShape shape;
  for (const Piece& piece : part.pieces) {
    shape.pieces.push_back(arc_points(piece, 0.0, 2.0 * std::numbers::pi));
  }
  for (const BoundaryArc& arc : union_boundary(part)) {
    shape.boundary.push_back(arc_points(part.pieces[arc.piece], arc.begin, arc.end));
  }
  return shape;
}

Points transformed(const Pose2& X_GP, const Points& points_P_mm) {
  const Rotation2 rotation(X_GP.angle_rad);
  Points points;
  points.reserve(points_P_mm.size());
  for (const Vec2& p : points_P_mm) points.push_back(X_GP.position_mm + rotation * p);
  return points;
}

Scene scene_at(const TrialStory& story, const Scenario& scenario, std::size_t k) {
  const TrajectorySample& sample = story.trajectory[k];
  Scene scene{
      sample.time_s, sample.part_pose, sample.state.jaw_right_mm, sample.state.jaw_left_mm, {}};
  for (const ContactRecord& contact : sample.contacts) {
    const Vec2 force_n = mean_force_n(story.trajectory, k, contact, scenario.step_s);
    scene.contacts.push_back({contact.piece, contact.side, contact.point_G_mm, contact.normal_G,
                              force_n,
                              grip_of(contact, force_n, scenario.gripper.closing_force_n)});
  }
  return scene;
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
  constexpr double kMargin = 0.05;  // of the larger side
  const State& start = story.trajectory.front().state;
  Box box{{start.jaw_left_mm, 0.0}, {start.jaw_right_mm, 0.0}};
  for (const TrajectorySample& sample : story.trajectory) {
    for (const Points& arc : shape.boundary) {
      for (const Vec2& point : transformed(sample.part_pose, arc)) include(box, point);
    }
  }
  const double margin = kMargin * (box.max - box.min).maxCoeff();
  const double jaw_depth = 3.0 * margin;  // so much of the jaws is seen, at least
  include(box, {0.0, -jaw_depth});
  return proportioned({box.min - Vec2::Constant(margin), box.max + Vec2::Constant(margin)});
}

}  // namespace graspmap
