#include "geometry/part.hpp"

#include <algorithm>

namespace graspmap {

bool contains(const Part& part, const Vec2& x_P_mm) {
  return std::any_of(part.pieces.begin(), part.pieces.end(), [&](const Piece& piece) {
    return value(piece.shape, inverse_transform(piece.pose, x_P_mm)) <= 0.0;
  });
}

double bounding_radius_mm(const Part& part, const Vec2& center_P_mm) {
  double radius = 0.0;
  for (const Piece& piece : part.pieces) {
    const double distance = (piece.pose.position_mm - center_P_mm).norm();
    radius = std::max(radius, distance + piece.shape.bounding_radius_mm());
  }
  return radius;
}

}  // namespace graspmap
