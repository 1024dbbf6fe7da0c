#pragma once

#include "grasp/base/pictures/label_placer.hpp"

namespace graspmap {

/// A box that grows with the points put into it.
struct GrowingBox {
  GrowingBox();

  Box box;

  void add(const Vec2& point);
  void add(const GrowingBox& other);
  [[nodiscard]] bool is_empty() const { return box.min.x() > box.max.x(); }
  [[nodiscard]] Vec2 size() const { return box.max - box.min; }
};

/// Fixed bodies belong to the picture when what moves would not be lost in it.
bool is_near(const GrowingBox& moving, const GrowingBox& fixed);

/// The box with some room about it, grown to a height of 0.4 to 1.25 of its width.
Box window_about(const GrowingBox& content);

}  // namespace graspmap
