#pragma once

#include <vector>

#include "lab/solids/pose3.hpp"

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

}  // namespace graspmap
