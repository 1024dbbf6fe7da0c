#include "geometry/part.hpp"

#include <algorithm>

#include "geometry/index.hpp"
#include "geometry/outline_boundary.hpp"

namespace graspmap {

int feature_count(const Part& part) { return first_feature(part, part.outlines.size()); }

int first_feature(const Part& part, std::size_t outline) {
  std::size_t feature = part.pieces.size();
  for (std::size_t k = 0; k < outline; ++k) feature += 2 * part.outlines[k].outline.outer.size();
  return static_cast<int>(feature);
}

std::string feature_name(const Part& part, int feature) {
  if (index(feature) < part.pieces.size()) return part.pieces[index(feature)].name;
  std::size_t k = index(feature) - part.pieces.size();
  std::size_t outline = 0;
  for (; k >= 2 * part.outlines[outline].outline.outer.size(); ++outline) {
    k -= 2 * part.outlines[outline].outline.outer.size();
  }
  const OutlinePiece& piece = part.outlines[outline];
  const std::size_t n = piece.outline.outer.size();
  const std::string name =
      k < n ? element_name(piece.outline.outer, k) : "corner " + std::to_string(k - n + 1);
  const bool alone = part.pieces.empty() && part.outlines.size() == 1;
  return alone ? name : piece.name + ": " + name;
}

bool contains(const Part& part, const Vec2& x_P_mm) {
  const auto within_piece = [&](const Piece& piece) {
    return value(piece.shape, inverse_transform(piece.pose, x_P_mm)) <= 0.0;
  };
  const auto within_outline = [&](const OutlinePiece& piece) {
    return contains(piece.outline, inverse_transform(piece.pose, x_P_mm));
  };
  return std::any_of(part.pieces.begin(), part.pieces.end(), within_piece) ||
         std::any_of(part.outlines.begin(), part.outlines.end(), within_outline);
}

double bounding_radius_mm(const Part& part, const Vec2& center_P_mm) {
  double radius = 0.0;
  for (const Piece& piece : part.pieces) {
    const double distance = (piece.pose.position_mm - center_P_mm).norm();
    radius = std::max(radius, distance + piece.shape.bounding_radius_mm());
  }
  for (const OutlinePiece& piece : part.outlines) {
    const Vec2 center_mm = inverse_transform(piece.pose, center_P_mm);
    for (const OutlineCurve& curve : outline_curves(piece.outline.outer)) {
      radius = std::max(radius, farthest_mm(curve, center_mm));
    }
  }
  return radius;
}

}  // namespace graspmap
