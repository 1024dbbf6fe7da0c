#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/outline_shapes.hpp"

namespace graspmap {

namespace outline_shapes_detail {

/// What is left of an edge between two fillets is nothing below this, relative to the edge.
inline constexpr double kNoEdge = 1e-12;

// Two segments that meet at the begin of the second one.
struct SegmentCorner {
  std::size_t before;
  std::size_t after;
  Vec2 point_mm;
  Vec2 along_before;  // unit vectors in the loop's direction
  Vec2 along_after;
  double length_before_mm;
  double length_after_mm;

  [[nodiscard]] double turn_rad() const {
    return elementary::atan2(cross(along_before, along_after), along_before.dot(along_after));
  }
};

inline std::optional<SegmentCorner> corner_of_segments(const OutlineLoop& loop,
                                                       std::size_t corner) {
  const std::size_t n = loop.size();
  const std::size_t before = (corner + n - 1) % n;
  if (n < 3 || loop[before].bulge != 0.0 || loop[corner].bulge != 0.0) return std::nullopt;
  const Vec2& point = loop[corner].begin_mm;
  const Vec2 to_point = point - loop[before].begin_mm;
  const Vec2 from_point = loop[(corner + 1) % n].begin_mm - point;
  return SegmentCorner{
      before,          corner,           point, to_point.normalized(), from_point.normalized(),
      to_point.norm(), from_point.norm()};
}

inline bool is_straight(const SegmentCorner& corner) {
  return std::abs(cross(corner.along_before, corner.along_after)) <= kNoEdge;
}

// Cuts a length off both segments and puts an element of the given bulge between them.
inline std::optional<OutlineLoop> cut(const OutlineLoop& loop, const SegmentCorner& corner,
                                      double length_mm, double bulge) {
  const double slack = 1.0 + kNoEdge;
  if (length_mm > corner.length_before_mm * slack || length_mm > corner.length_after_mm * slack) {
    return std::nullopt;
  }
  const auto is_used_up = [&](double edge_mm) { return edge_mm - length_mm <= edge_mm * kNoEdge; };
  OutlineLoop result = loop;
  OutlineElement between{corner.point_mm - length_mm * corner.along_before, bulge, ""};
  if (is_used_up(corner.length_before_mm)) between.begin_mm = loop[corner.before].begin_mm;
  result[corner.after].begin_mm += length_mm * corner.along_after;
  const auto at = result.begin() + static_cast<std::ptrdiff_t>(corner.after);
  if (is_used_up(corner.length_after_mm)) {
    *at = between;
  } else {
    result.insert(at, between);
  }
  if (is_used_up(corner.length_before_mm)) {
    const bool is_last = corner.before > corner.after;
    const std::size_t place = is_last ? result.size() - 1 : corner.before;
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(place));
  }
  return result;
}

}  // namespace outline_shapes_detail

/// The closed polygon through the points, in their order.
inline OutlineLoop polygon_loop(const std::vector<Vec2>& points_mm) {
  OutlineLoop loop;
  for (const Vec2& point : points_mm) loop.push_back({point, 0.0, ""});
  return loop;
}

/// A circle, counter-clockwise: two half circles, the first from the rightmost point.
inline OutlineLoop circle_loop(const Vec2& center_mm, double radius_mm) {
  const Vec2 right(radius_mm, 0.0);
  return {{center_mm + right, 1.0, ""}, {center_mm - right, 1.0, ""}};
}

/// A rectangle with sides along the axes, counter-clockwise from its lower left corner.
inline OutlineLoop rectangle_loop(double width_mm, double height_mm,
                                  const Vec2& center_mm = {0, 0}) {
  const double x = 0.5 * width_mm;
  const double y = 0.5 * height_mm;
  return polygon_loop({center_mm + Vec2(-x, -y), center_mm + Vec2(x, -y), center_mm + Vec2(x, y),
                       center_mm + Vec2(-x, y)});
}

/// A regular polygon of an even number of sides, at least 4, counter-clockwise. Element 0 is the
/// right one of the vertical sides; `across_flats_mm` is the distance of opposite sides.
inline OutlineLoop regular_polygon_loop(int sides, double across_flats_mm,
                                        const Vec2& center_mm = {0, 0}) {
  const double step = 2.0 * std::numbers::pi / sides;
  const double circumradius = 0.5 * across_flats_mm / elementary::cos(0.5 * step);
  std::vector<Vec2> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = (k - 0.5) * step;
    points.push_back(center_mm + circumradius * unit_vector(angle));
  }
  return polygon_loop(points);
}

/// The loop with an arc of the given radius, tangent to both, between the segments that meet at the
/// begin of element `corner`; the arc becomes element `corner`. A segment that is used up goes.
/// Nothing when one of the two is an arc, when they are parallel, or too short.
inline std::optional<OutlineLoop> filleted(const OutlineLoop& loop, std::size_t corner,
                                           double radius_mm) {
  const auto segments = outline_shapes_detail::corner_of_segments(loop, corner);
  if (!segments || outline_shapes_detail::is_straight(*segments)) return std::nullopt;
  const double turn = segments->turn_rad();
  const double length = radius_mm * elementary::tan(0.5 * std::abs(turn));
  return outline_shapes_detail::cut(loop, *segments, length, elementary::tan(0.25 * turn));
}

/// The same with a segment that cuts `length_mm` off either one.
inline std::optional<OutlineLoop> chamfered(const OutlineLoop& loop, std::size_t corner,
                                            double length_mm) {
  const auto segments = outline_shapes_detail::corner_of_segments(loop, corner);
  if (!segments || outline_shapes_detail::is_straight(*segments)) return std::nullopt;
  return outline_shapes_detail::cut(loop, *segments, length_mm, 0.0);
}

/// The loop with a fillet at each corner between two segments, inner corners included. Nothing when
/// one does not fit. From the last corner to the first: what comes after a corner does not change
/// its number.
inline std::optional<OutlineLoop> rounded(const OutlineLoop& loop, double radius_mm) {
  std::optional<OutlineLoop> result = loop;
  for (std::size_t k = loop.size(); k-- > 0 && result;) {
    const auto segments = outline_shapes_detail::corner_of_segments(loop, k);
    if (!segments || outline_shapes_detail::is_straight(*segments)) continue;
    result = filleted(*result, k, radius_mm);
  }
  return result;
}

/// The distance of a point from an outline's boundary, holes included, in mm: >= 0 on both sides.
inline double boundary_distance_mm(const Outline& outline, const Vec2& x_mm) {
  double distance = std::numeric_limits<double>::infinity();
  const auto include = [&](const OutlineLoop& loop) {
    for (const OutlineCurve& curve : outline_curves(loop)) {
      distance = std::min(distance, distance_mm(curve, x_mm));
    }
  };
  include(outline.outer);
  for (const OutlineLoop& hole : outline.holes) include(hole);
  return distance;
}

}  // namespace graspmap
