#include "geometry/boundary_points.hpp"

#include <cmath>
#include <numbers>

namespace graspmap {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;

// The points at equal steps of the parameter, of which a whole turn would have `per_turn`.
template <typename Curve>
std::vector<Vec2> points_along(const BoundaryArc& arc, double turn_rad, int per_turn,
                               const Curve& point) {
  const int steps = 1 + static_cast<int>(per_turn * turn_rad / kFullTurn);
  std::vector<Vec2> points;
  for (int k = 0; k <= steps; ++k) {
    points.push_back(point(arc.begin + (arc.end - arc.begin) * k / steps));
  }
  return points;
}

}  // namespace

std::vector<Vec2> boundary_points(const Part& part, const BoundaryArc& arc, int per_turn) {
  if (arc.piece < part.pieces.size()) {
    const Piece& piece = part.pieces[arc.piece];
    return points_along(arc, arc.end - arc.begin, per_turn, [&](double t) {
      return transform(piece.pose, boundary_point(piece.shape, t).position_mm);
    });
  }
  const OutlinePiece& piece = part.outlines[arc.piece - part.pieces.size()];
  const OutlineCurve curve = element_of(piece.outline, arc);
  const double turn_rad = (arc.end - arc.begin) * std::abs(curve.turn_rad);
  return points_along(arc, turn_rad, per_turn,
                      [&](double s) { return transform(piece.pose, point_at(curve, s)); });
}

}  // namespace graspmap
