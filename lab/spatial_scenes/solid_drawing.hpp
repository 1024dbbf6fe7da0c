#pragma once

#include <cstddef>
#include <vector>

#include "lab/scenes/picture_layout.hpp"
#include "lab/solids/solid.hpp"

namespace graspmap {

/// An orthographic view: the picture's axes in G, z upright in it.
struct SpatialView {
  Vec3 right = Vec3::UnitX();
  Vec3 up = Vec3::UnitZ();
  Vec3 toward = -Vec3::UnitY();  ///< to the eye

  [[nodiscard]] Vec2 flat(const Vec3& p) const { return {right.dot(p), up.dot(p)}; }
};

/// The view from a direction, which is not vertical.
SpatialView view_from(const Vec3& toward);

/// A box in G with sides along its axes that grows with what is put into it.
struct GrowingBox3 {
  GrowingBox3();

  Vec3 min;
  Vec3 max;

  void add(const Vec3& low, const Vec3& high);
  [[nodiscard]] bool is_empty() const { return min.x() > max.x(); }
  [[nodiscard]] Vec3 size() const { return max - min; }
  [[nodiscard]] std::vector<Vec3> corners() const;
};

/// The view that shows what moves in a box best: isometric, or almost along x or y when it hardly
/// reaches that way.
SpatialView view_of(const GrowingBox3& moving);

/// A solid as it is seen: its outline, what is visible of lines on it, and of marks that show how
/// it is turned. mm in the picture.
struct DrawnSolid {
  DrawnLine outline;  ///< closed, convex, counter-clockwise
  std::vector<DrawnLine> lines;
  std::vector<DrawnLine> marks;
};

/// Draws a bounded solid with about `points` points on its outline. Lines are great circles of
/// rounded solids (sections along the coordinate planes), edges of a box, rims and four straight
/// lines of a cylinder; a sphere of radius 0 has nothing. Marks are where the body's z and x axes
/// leave it.
DrawnSolid drawn_solid(const Solid& solid, const Pose3& pose, const SpatialView& view, int points);

/// The smallest box about a bounded solid.
GrowingBox3 box_about(const Solid& solid, const Pose3& pose);

/// A bounded solid in a picture, at one of its moments.
struct PaintedSolid {
  Solid solid;
  Pose3 pose;
  int moment = -1;  ///< -1: it is there at all of them
};

/// The order in which solids are painted so that each hides what is behind it: of two that are
/// there at the same moment the farther one first, by the plane that separates them. Where that
/// leaves a choice, earlier moments first, then what is farther from the eye. Exact unless solids
/// overlap or hide each other in a ring.
std::vector<std::size_t> painting_order(const std::vector<PaintedSolid>& solids,
                                        const SpatialView& view);

}  // namespace graspmap
