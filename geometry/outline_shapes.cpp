#include "geometry/outline_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

// Two segments that meet at the begin of the second one.
struct SegmentCorner {
  std::size_t before;
  std::size_t after;
  Vec2 point_mm;
  Vec2 along_before;  // unit vectors in the loop's direction
  Vec2 along_after;
  double length_before_mm;
  double length_after_mm;

  double turn_rad() const {
    return elementary::atan2(cross(along_before, along_after), along_before.dot(along_after));
  }
};

std::optional<SegmentCorner> corner_of_segments(const OutlineLoop& loop, std::size_t corner) {
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

bool is_straight(const SegmentCorner& corner) {
  return std::abs(cross(corner.along_before, corner.along_after)) <= tolerances::kNoEdge;
}

// Cuts a length off both segments and puts an element of the given bulge between them.
std::optional<OutlineLoop> cut(const OutlineLoop& loop, const SegmentCorner& corner,
                               double length_mm, double bulge) {
  const double slack = 1.0 + tolerances::kNoEdge;
  if (length_mm > corner.length_before_mm * slack || length_mm > corner.length_after_mm * slack) {
    return std::nullopt;
  }
  const auto is_used_up = [&](double edge_mm) {
    return edge_mm - length_mm <= edge_mm * tolerances::kNoEdge;
  };
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

}  // namespace

OutlineLoop polygon_loop(const std::vector<Vec2>& points_mm) {
  OutlineLoop loop;
  for (const Vec2& point : points_mm) loop.push_back({point, 0.0, ""});
  return loop;
}

OutlineLoop circle_loop(const Vec2& center_mm, double radius_mm) {
  const Vec2 right(radius_mm, 0.0);
  return {{center_mm + right, 1.0, ""}, {center_mm - right, 1.0, ""}};
}

OutlineLoop rectangle_loop(double width_mm, double height_mm, const Vec2& center_mm) {
  const double x = 0.5 * width_mm;
  const double y = 0.5 * height_mm;
  return polygon_loop({center_mm + Vec2(-x, -y), center_mm + Vec2(x, -y), center_mm + Vec2(x, y),
                       center_mm + Vec2(-x, y)});
}

OutlineLoop regular_polygon_loop(int sides, double across_flats_mm, const Vec2& center_mm) {
  const double step = 2.0 * std::numbers::pi / sides;
  const double circumradius = 0.5 * across_flats_mm / elementary::cos(0.5 * step);
  std::vector<Vec2> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = (k - 0.5) * step;
    points.push_back(center_mm + circumradius * unit_vector(angle));
  }
  return polygon_loop(points);
}

OutlineLoop reversed(const OutlineLoop& loop) {
  const std::size_t n = loop.size();
  OutlineLoop chain(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t old = n - 1 - k;
    chain[k] = {loop[(n - k) % n].begin_mm, -loop[old].bulge, element_name(loop, old)};
  }
  return chain;
}

Outline oriented(Outline outline) {
  if (signed_area_mm2(outline.outer) < 0.0) outline.outer = reversed(outline.outer);
  for (OutlineLoop& hole : outline.holes) {
    if (signed_area_mm2(hole) > 0.0) hole = reversed(hole);
  }
  return outline;
}

std::optional<OutlineLoop> filleted(const OutlineLoop& loop, std::size_t corner, double radius_mm) {
  const auto segments = corner_of_segments(loop, corner);
  if (!segments || is_straight(*segments)) return std::nullopt;
  const double turn = segments->turn_rad();
  const double length = radius_mm * elementary::tan(0.5 * std::abs(turn));
  return cut(loop, *segments, length, elementary::tan(0.25 * turn));
}

std::optional<OutlineLoop> chamfered(const OutlineLoop& loop, std::size_t corner,
                                     double length_mm) {
  const auto segments = corner_of_segments(loop, corner);
  if (!segments || is_straight(*segments)) return std::nullopt;
  return cut(loop, *segments, length_mm, 0.0);
}

// From the last corner to the first: what comes after a corner does not change its number.
std::optional<OutlineLoop> rounded(const OutlineLoop& loop, double radius_mm) {
  std::optional<OutlineLoop> result = loop;
  for (std::size_t k = loop.size(); k-- > 0 && result;) {
    const auto segments = corner_of_segments(loop, k);
    if (!segments || is_straight(*segments)) continue;
    result = filleted(*result, k, radius_mm);
  }
  return result;
}

namespace {

/// From the top edge to below the tip.
void add_tip(const FingerShape& shape, const char* inside, OutlineLoop& loop) {
  const double x_mm = shape.step_depth_mm;
  if (shape.tip_radius_mm > 0.0) {
    const double quarter_turn = std::numbers::sqrt2 - 1.0;  // tan(pi / 8)
    loop.push_back({{x_mm + shape.tip_radius_mm, 0.0}, quarter_turn, "tip"});
  } else if (shape.tip_chamfer_mm > 0.0) {
    loop.push_back({{x_mm + shape.tip_chamfer_mm, 0.0}, 0.0, "chamfer"});
  }
  loop.push_back({{x_mm, 0.0 - shape.tip_height_mm()}, 0.0, inside});
}

/// Where features meet, the element between them has no length.
void drop_zero_lengths(OutlineLoop& loop) {
  OutlineLoop kept;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    if (loop[k].begin_mm != loop[(k + 1) % loop.size()].begin_mm) kept.push_back(loop[k]);
  }
  loop = std::move(kept);
}

}  // namespace

double FingerShape::tip_height_mm() const {
  if (tip_radius_mm > 0.0) return tip_radius_mm;
  return tip_chamfer_mm > 0.0 ? tip_chamfer_mm / elementary::tan(tip_chamfer_rad) : 0.0;
}

double FingerShape::groove_half_height_mm() const {
  return groove_depth_mm * elementary::tan(0.5 * groove_angle_rad);
}

bool fits(const FingerShape& shape) {
  const double tip_mm = std::max(shape.tip_radius_mm, shape.tip_chamfer_mm);
  const bool has_step = shape.step_depth_mm > 0.0;
  const double inside_mm = has_step ? shape.step_height_mm : shape.tip_height_mm();
  const double least = std::min({shape.tip_radius_mm, shape.tip_chamfer_mm, shape.step_depth_mm,
                                 shape.step_height_mm, shape.groove_depth_mm});
  const auto between = [](double x, double min, double max) { return x > min && x < max; };
  return least >= 0.0 && between(shape.width_mm, 0.0, 2.0 * kFingerReach_mm) &&
         between(shape.tip_chamfer_rad, 0.0, 0.5 * std::numbers::pi) &&
         between(shape.groove_angle_rad, 0.0, std::numbers::pi) &&
         tip_mm <= shape.width_mm - shape.step_depth_mm && shape.step_depth_mm < shape.width_mm &&
         shape.groove_depth_mm < shape.width_mm && shape.tip_height_mm() <= inside_mm &&
         (shape.groove_depth_mm == 0.0 ||
          shape.groove_position_mm + shape.groove_half_height_mm() <= -inside_mm);
}

Outline finger_outline(const FingerShape& shape) {
  OutlineLoop loop = {{{shape.width_mm, 0.0}, 0.0, "top"}};
  const bool has_step = shape.step_depth_mm > 0.0;
  add_tip(shape, has_step ? "set_back" : "inside", loop);
  if (has_step) {
    loop.push_back({{shape.step_depth_mm, -shape.step_height_mm}, 0.0, "ledge"});
    loop.push_back({{0.0, -shape.step_height_mm}, 0.0, "inside"});
  }
  if (shape.groove_depth_mm > 0.0) {
    const double y_mm = shape.groove_position_mm;
    const double half_mm = shape.groove_half_height_mm();
    loop.push_back({{0.0, y_mm + half_mm}, 0.0, "groove_upper"});
    loop.push_back({{shape.groove_depth_mm, y_mm}, 0.0, "groove_lower"});
    loop.push_back({{0.0, y_mm - half_mm}, 0.0, "inside"});
  }
  loop.push_back({{0.0, -kFingerReach_mm}, 0.0, "base"});
  loop.push_back({{shape.width_mm, -kFingerReach_mm}, 0.0, "outside"});
  drop_zero_lengths(loop);
  return {loop, {}};
}

}  // namespace graspmap
