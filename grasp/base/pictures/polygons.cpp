#include "grasp/base/pictures/polygons.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

using Polygon = std::vector<Vec2>;

/// The chords of an arc: with the angle 2 a between their ends they are r (1 - cos a) from it at
/// most, which is less than r a^2 / 2.
int chord_count(const OutlineCurve& curve, double tolerance_mm) {
  if (!curve.is_arc()) return 1;
  const double most_rad = 2.0 * std::sqrt(2.0 * tolerance_mm / curve.radius_mm);
  return std::max(1, static_cast<int>(std::ceil(std::abs(curve.turn_rad) / most_rad)));
}

/// The part of a polygon where n . p <= offset.
Polygon clipped(const Polygon& polygon, const Vec2& n, double offset) {
  Polygon inside;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2& a = polygon[k];
    const Vec2& b = polygon[(k + 1) % polygon.size()];
    const double f_a = n.dot(a) - offset;
    const double f_b = n.dot(b) - offset;
    if (f_a <= 0.0) inside.push_back(a);
    if ((f_a <= 0.0) != (f_b <= 0.0)) inside.emplace_back(a + f_a / (f_a - f_b) * (b - a));
  }
  return inside;
}

/// A way from a polygon's point to a hole's.
struct Cut {
  std::size_t from = 0;
  std::size_t to = 0;
  const Polygon* hole = nullptr;
};

Cut nearest_cut(const Polygon& outer, const Polygon& hole) {
  Cut cut{0, 0, &hole};
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < outer.size(); ++i) {
    for (std::size_t j = 0; j < hole.size(); ++j) {
      const double distance = (outer[i] - hole[j]).squaredNorm();
      if (distance >= nearest) continue;
      nearest = distance;
      cut = {i, j, &hole};
    }
  }
  return cut;
}

}  // namespace

std::vector<Vec2> loop_points(const OutlineLoop& loop, double tolerance_mm) {
  Polygon points;
  for (const OutlineCurve& curve : outline_curves(loop)) {
    const int chords = chord_count(curve, tolerance_mm);
    for (int k = 0; k < chords; ++k) {
      points.push_back(point_at(curve, static_cast<double>(k) / chords));
    }
  }
  return points;
}

std::vector<std::vector<Vec2>> outline_polygons(const Outline& outline, double tolerance_mm) {
  std::vector<Polygon> polygons{loop_points(outline.outer, tolerance_mm)};
  for (const OutlineLoop& hole : outline.holes) {
    polygons.push_back(loop_points(hole, tolerance_mm));
  }
  return polygons;
}

std::vector<Vec2> clipped(const std::vector<Vec2>& polygon, const Box& box) {
  Polygon inside = polygon;
  for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1)}) {
    inside = clipped(inside, axis, axis.dot(box.max));
    inside = clipped(inside, -axis, -axis.dot(box.min));
  }
  return inside;
}

std::vector<std::vector<Vec2>> clipped(const std::vector<std::vector<Vec2>>& polygons,
                                       const Box& box) {
  std::vector<Polygon> inside;
  for (const Polygon& polygon : polygons) inside.push_back(clipped(polygon, box));
  std::erase_if(inside, [](const Polygon& polygon) { return polygon.empty(); });
  return inside;
}

std::vector<Vec2> joined_polygon(const std::vector<std::vector<Vec2>>& polygons) {
  if (polygons.empty()) return {};
  const Polygon& outer = polygons.front();
  std::vector<Cut> cuts;
  for (std::size_t k = 1; k < polygons.size(); ++k) {
    cuts.push_back(nearest_cut(outer, polygons[k]));
  }
  Polygon joined;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    joined.push_back(outer[i]);
    for (const Cut& cut : cuts) {
      if (cut.from != i) continue;
      for (std::size_t j = 0; j <= cut.hole->size(); ++j) {
        joined.push_back((*cut.hole)[(cut.to + j) % cut.hole->size()]);
      }
      joined.push_back(outer[i]);
    }
  }
  return joined;
}

}  // namespace graspmap
