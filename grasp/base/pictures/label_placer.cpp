#include "grasp/base/pictures/label_placer.hpp"

#include <algorithm>

namespace graspmap {

Box box_about(const Vec2& center, const Vec2& size) {
  return {center - 0.5 * size, center + 0.5 * size};
}

void LabelPlacer::block_line(const Vec2& from, const Vec2& to, double distance) {
  const int squares = 1 + static_cast<int>((to - from).norm() / distance);
  for (int k = 0; k <= squares; ++k) {
    const Vec2 center = from + (to - from) * k / squares;
    block(box_about(center, Vec2::Constant(2.0 * distance)));
  }
}

void LabelPlacer::block_path(const std::vector<Vec2>& points, double distance) {
  for (std::size_t k = 1; k < points.size(); ++k) block_line(points[k - 1], points[k], distance);
}

bool LabelPlacer::is_free(const Box& box) const {
  return area_.contains(box) && std::none_of(blocked_.begin(), blocked_.end(),
                                             [&](const Box& b) { return b.overlaps(box); });
}

std::optional<Vec2> LabelPlacer::place(const Vec2& size, const std::vector<Vec2>& centers) {
  for (const Vec2& center : centers) {
    const Box box = box_about(center, size);
    if (!is_free(box)) continue;
    block(box);
    return center;
  }
  return std::nullopt;
}

}  // namespace graspmap
