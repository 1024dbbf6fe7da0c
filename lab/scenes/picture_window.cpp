#include "lab/scenes/picture_window.hpp"

#include <limits>

namespace graspmap {

GrowingBox::GrowingBox()
    : box{Vec2::Constant(std::numeric_limits<double>::infinity()),
          Vec2::Constant(-std::numeric_limits<double>::infinity())} {}

void GrowingBox::add(const Vec2& point) {
  box.min = box.min.cwiseMin(point);
  box.max = box.max.cwiseMax(point);
}

void GrowingBox::add(const GrowingBox& other) {
  add(other.box.min);
  add(other.box.max);
}

bool is_near(const GrowingBox& moving, const GrowingBox& fixed) {
  constexpr double kMost = 3.0;
  GrowingBox both = moving;
  both.add(fixed);
  return both.size().maxCoeff() <= kMost * moving.size().maxCoeff();
}

Box window_about(const GrowingBox& content) {
  const Vec2 room = Vec2::Constant(0.06 * content.size().maxCoeff());
  const Box box{content.box.min - room, content.box.max + room};
  const Vec2 size = box.max - box.min;
  const Vec2 least(size.y() / 1.25, 0.4 * size.x());
  const Vec2 more = 0.5 * (least - size).cwiseMax(0.0);
  return {box.min - more, box.max + more};
}

}  // namespace graspmap
