#include "geometry/outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

OutlineLoop placed(const OutlineLoop& loop, const Pose2& pose) {
  OutlineLoop moved = loop;
  for (OutlineElement& element : moved) element.begin_mm = transform(pose, element.begin_mm);
  return moved;
}

/// Element k of the mirrored chain is element n - 1 - k backwards: its bulge keeps its sign, since
/// both the reflection and the reversal change it.
OutlineLoop mirrored(const OutlineLoop& loop) {
  const std::size_t n = loop.size();
  OutlineLoop chain(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t element = n - 1 - k;
    const std::size_t corner = (n - k) % n;
    const Vec2& begin = loop[corner].begin_mm;
    chain[k] = {{-begin.x(), begin.y()},
                loop[element].bulge,
                element_name(loop, element),
                corner_name(loop, corner)};
  }
  return chain;
}

/// Where a ray from x in the unit direction u meets a curve first, mm from x; infinity if it does
/// not, or nearer than `least_mm`.
double ray_to_curve_mm(const OutlineCurve& curve, const Vec2& x, const Vec2& u, double least_mm) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (!curve.is_arc()) {
    const Vec2 along = curve.end_mm - curve.begin_mm;
    const double across = cross(u, along);
    if (across == 0.0) return kNever;
    const double distance = cross(curve.begin_mm - x, along) / across;
    const double s = cross(curve.begin_mm - x, u) / across;
    return distance > least_mm && s >= 0.0 && s <= 1.0 ? distance : kNever;
  }
  const Vec2 w = x - curve.center_mm;
  const double half = w.dot(u);
  const double root2 = half * half - w.squaredNorm() + curve.radius_mm * curve.radius_mm;
  if (root2 < 0.0) return kNever;
  for (const double distance : {-half - std::sqrt(root2), -half + std::sqrt(root2)}) {
    if (distance <= least_mm) continue;
    const Vec2 spoke = w + distance * u;
    const double turn = curve.turn_rad > 0.0 ? 1.0 : -1.0;
    double angle = turn * (elementary::atan2(spoke.y(), spoke.x()) - curve.angle_rad);
    angle -= 2.0 * std::numbers::pi * std::floor(angle / (2.0 * std::numbers::pi));
    if (angle <= std::abs(curve.turn_rad)) return distance;
  }
  return kNever;
}

}  // namespace

double OutlineCurve::length_mm() const {
  return is_arc() ? radius_mm * std::abs(turn_rad) : (end_mm - begin_mm).norm();
}

OutlineCurve outline_curve(const Vec2& begin_mm, const Vec2& end_mm, double bulge) {
  OutlineCurve curve;
  curve.begin_mm = begin_mm;
  curve.end_mm = end_mm;
  if (bulge == 0.0) return curve;
  const Vec2 chord = end_mm - begin_mm;
  curve.turn_rad = 4.0 * elementary::atan(bulge);
  // With b = tan(turn / 4): the centre lies (1 - b^2) / (4 b) chords to the left of the chord.
  curve.center_mm = 0.5 * (begin_mm + end_mm) + (0.25 * (1.0 / bulge - bulge)) * perp(chord);
  curve.radius_mm = 0.25 * chord.norm() * std::abs(1.0 / bulge + bulge);
  const Vec2 spoke = begin_mm - curve.center_mm;
  curve.angle_rad = elementary::atan2(spoke.y(), spoke.x());
  return curve;
}

OutlineCurve outline_curve(const OutlineLoop& loop, std::size_t k) {
  GRASPMAP_ASSERT(k < loop.size());
  return outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge);
}

std::vector<OutlineCurve> outline_curves(const OutlineLoop& loop) {
  std::vector<OutlineCurve> chain;
  chain.reserve(loop.size());
  for (std::size_t k = 0; k < loop.size(); ++k) chain.push_back(outline_curve(loop, k));
  return chain;
}

std::vector<const OutlineLoop*> loops_of(const Outline& outline) {
  std::vector<const OutlineLoop*> loops{&outline.outer};
  for (const OutlineLoop& hole : outline.holes) loops.push_back(&hole);
  return loops;
}

Vec2 point_at(const OutlineCurve& curve, double s) {
  if (s <= 0.0) return curve.begin_mm;
  if (s >= 1.0) return curve.end_mm;
  if (!curve.is_arc()) return curve.begin_mm + s * (curve.end_mm - curve.begin_mm);
  const double angle = curve.angle_rad + s * curve.turn_rad;
  return curve.center_mm + curve.radius_mm * unit_vector(angle);
}

Vec2 tangent_at(const OutlineCurve& curve, double s) {
  if (!curve.is_arc()) return (curve.end_mm - curve.begin_mm).normalized();
  const double angle = curve.angle_rad + std::clamp(s, 0.0, 1.0) * curve.turn_rad;
  const Vec2 left = perp(unit_vector(angle));
  return curve.turn_rad > 0.0 ? left : Vec2(-left);
}

Outline placed(const Outline& outline, const Pose2& pose) {
  Outline moved{placed(outline.outer, pose), {}};
  for (const OutlineLoop& hole : outline.holes) moved.holes.push_back(placed(hole, pose));
  return moved;
}

Outline mirrored(const Outline& outline) {
  Outline image{mirrored(outline.outer), {}};
  for (const OutlineLoop& hole : outline.holes) image.holes.push_back(mirrored(hole));
  return image;
}

double least_width_mm(const Outline& outline) {
  const std::vector<OutlineCurve> chain = outline_curves(outline.outer);
  // All of a curve is within its length of its begin: what is farther away than the least width so
  // far is not looked at.
  std::vector<double> lengths_mm;
  lengths_mm.reserve(chain.size());
  for (const OutlineCurve& curve : chain) lengths_mm.push_back(curve.length_mm());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Vec2 x = point_at(chain[k], 0.5);
    const Vec2 inwards = perp(tangent_at(chain[k], 0.5));
    const double rounding = tolerances::kShapeRounding * (1.0 + lengths_mm[k]);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const double reach_mm = lengths_mm[i] + least;
      if ((chain[i].begin_mm - x).squaredNorm() > reach_mm * reach_mm) continue;
      least = std::min(least, ray_to_curve_mm(chain[i], x, inwards, rounding));
    }
  }
  return least;
}

std::string element_name(const OutlineLoop& loop, std::size_t k) {
  if (!loop[k].name.empty()) return loop[k].name;
  return (loop[k].bulge == 0.0 ? "edge " : "arc ") + std::to_string(k + 1);
}

std::string corner_name(const OutlineLoop& loop, std::size_t k) {
  return loop[k].corner.empty() ? "corner " + std::to_string(k + 1) : loop[k].corner;
}

namespace {

// The angle from an arc's begin to the ray from its centre through x, in the arc's direction, as a
// share of the arc's turn: in [0, 2 pi / turn).
double share_of_ray(const OutlineCurve& arc, const Vec2& x_mm) {
  constexpr double kWholeTurn = 2.0 * std::numbers::pi;
  const Vec2 spoke = x_mm - arc.center_mm;
  const Vec2 first = arc.begin_mm - arc.center_mm;
  const double sign = arc.turn_rad > 0.0 ? 1.0 : -1.0;
  const double angle = elementary::atan2(sign * cross(first, spoke), first.dot(spoke));
  return (angle < 0.0 ? angle + kWholeTurn : angle) / std::abs(arc.turn_rad);
}

// Which side of a directed chord a point is on: > 0 left, < 0 right. A point of its line is moved
// to the right along x, and less so upwards, so that `winding` takes every point for the same side.
double side_of(const Vec2& chord, const Vec2& from_begin) {
  const double side = cross(chord, from_begin);
  if (side != 0.0) return side;
  return chord.y() != 0.0 ? -chord.y() : chord.x();
}

// How often an element winds around a point: its chord as an edge of a polygon, and the region
// between chord and arc. That of a bulge b > 0 is to the right of the chord and within the circle,
// b (x - begin) . (x - end) <= (1 - b^2) / 2 chord x (x - begin), the theorem of the inscribed
// angle.
int winding_of_element(const Vec2& begin_mm, const Vec2& end_mm, double bulge, const Vec2& x_mm) {
  const Vec2 chord = end_mm - begin_mm;
  const Vec2 from_begin = x_mm - begin_mm;
  const double side = side_of(chord, from_begin);
  int turns = 0;
  if (begin_mm.y() <= x_mm.y() && x_mm.y() < end_mm.y() && side > 0.0) turns = 1;
  if (end_mm.y() <= x_mm.y() && x_mm.y() < begin_mm.y() && side < 0.0) turns = -1;
  if (bulge == 0.0 || (side < 0.0) != (bulge > 0.0)) return turns;
  const double power =
      std::abs(bulge) * from_begin.dot(x_mm - end_mm) -
      (bulge > 0.0 ? 0.5 : -0.5) * (1.0 - bulge * bulge) * cross(chord, from_begin);
  if (power > 0.0) return turns;
  return turns + (bulge > 0.0 ? 1 : -1);
}

int winding(const OutlineLoop& loop, const Vec2& x_mm) {
  int turns = 0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec2& end_mm = loop[k + 1 == loop.size() ? 0 : k + 1].begin_mm;
    turns += winding_of_element(loop[k].begin_mm, end_mm, loop[k].bulge, x_mm);
  }
  return turns;
}

// Appends the meeting at x when it lies within both curves. Ends are found by themselves.
void append_if_on_both(const OutlineCurve& a, const OutlineCurve& b, const Vec2& x_mm,
                       std::vector<CurveMeeting>& found) {
  const auto share = [&](const OutlineCurve& curve) {
    if (curve.is_arc()) return share_of_ray(curve, x_mm);
    const Vec2 chord = curve.end_mm - curve.begin_mm;
    return chord.dot(x_mm - curve.begin_mm) / chord.squaredNorm();
  };
  const double share_a = share(a);
  const double share_b = share(b);
  const auto within = [](double s) { return s >= 0.0 && s <= 1.0; };
  if (within(share_a) && within(share_b)) found.push_back({x_mm, share_a, share_b});
}

void append_segment_crossings(const OutlineCurve& a, const OutlineCurve& b,
                              std::vector<CurveMeeting>& found) {
  const Vec2 u = a.end_mm - a.begin_mm;
  const Vec2 v = b.end_mm - b.begin_mm;
  const Vec2 apart = b.begin_mm - a.begin_mm;
  const double sine = cross(u, v);
  if (sine == 0.0) return;
  const double share_a = cross(apart, v) / sine;
  const double share_b = cross(apart, u) / sine;
  if (share_a < 0.0 || share_a > 1.0 || share_b < 0.0 || share_b > 1.0) return;
  const Vec2 point = a.begin_mm + share_a * u;
  found.push_back({point, share_a, closest_share(b, point)});  // one point, however ill-conditioned
}

void append_line_circle_crossings(const OutlineCurve& segment, const OutlineCurve& arc,
                                  double touch_mm, std::vector<CurveMeeting>& found) {
  const Vec2 along = (segment.end_mm - segment.begin_mm).normalized();
  const Vec2 to_center = arc.center_mm - segment.begin_mm;
  const double apart = std::abs(cross(along, to_center));
  if (apart > arc.radius_mm + touch_mm) return;
  const Vec2 middle = segment.begin_mm + along.dot(to_center) * along;
  const double half = std::sqrt(std::max(0.0, (arc.radius_mm - apart) * (arc.radius_mm + apart)));
  append_if_on_both(segment, arc, middle - half * along, found);
  append_if_on_both(segment, arc, middle + half * along, found);
}

// Measured from the smaller circle's centre: next to it rounding errors are smallest.
void append_circle_crossings(const OutlineCurve& a, const OutlineCurve& b, double touch_mm,
                             std::vector<CurveMeeting>& found) {
  const OutlineCurve& small = a.radius_mm < b.radius_mm ? a : b;
  const OutlineCurve& large = a.radius_mm < b.radius_mm ? b : a;
  const double r = small.radius_mm;
  const double R = large.radius_mm;
  const Vec2 between = large.center_mm - small.center_mm;
  const double d = between.norm();
  if (d == 0.0 || d > R + r + touch_mm || d < R - r - touch_mm) return;
  const Vec2 along = between / d;
  const double middle = std::clamp(0.5 * ((d - R) * (d + R) + r * r) / d, -r, r);
  const double half = std::sqrt((r - middle) * (r + middle));
  for (double side : {-half, half}) {
    append_if_on_both(a, b, small.center_mm + middle * along + side * perp(along), found);
  }
}

}  // namespace

double closest_share(const OutlineCurve& curve, const Vec2& x_mm) {
  if (curve.is_arc()) {
    const double share = share_of_ray(curve, x_mm);
    if (share <= 1.0) return share;
    const bool begin_is_closer =
        (x_mm - curve.begin_mm).squaredNorm() <= (x_mm - curve.end_mm).squaredNorm();
    return begin_is_closer ? 0.0 : 1.0;
  }
  const Vec2 chord = curve.end_mm - curve.begin_mm;
  return std::clamp(chord.dot(x_mm - curve.begin_mm) / chord.squaredNorm(), 0.0, 1.0);
}

double distance_mm(const OutlineCurve& curve, const Vec2& x_mm) {
  const double share = closest_share(curve, x_mm);
  if (share == 0.0) return (x_mm - curve.begin_mm).norm();
  if (share == 1.0) return (x_mm - curve.end_mm).norm();
  if (curve.is_arc()) return std::abs((x_mm - curve.center_mm).norm() - curve.radius_mm);
  return std::abs(cross((curve.end_mm - curve.begin_mm).normalized(), x_mm - curve.begin_mm));
}

bool contains(const OutlineLoop& loop, const Vec2& x_mm) { return winding(loop, x_mm) != 0; }

bool contains(const Outline& outline, const Vec2& x_mm) {
  return contains(outline.outer, x_mm) &&
         std::none_of(outline.holes.begin(), outline.holes.end(),
                      [&](const OutlineLoop& hole) { return contains(hole, x_mm); });
}

double signed_area_mm2(const OutlineLoop& loop) {
  if (loop.empty()) return 0.0;
  const Vec2 origin_mm = loop.front().begin_mm;
  double area = 0.0;
  for (const OutlineCurve& curve : outline_curves(loop)) {
    area += 0.5 * cross(curve.begin_mm - origin_mm, curve.end_mm - origin_mm);
    if (!curve.is_arc()) continue;
    area += 0.5 * curve.radius_mm * curve.radius_mm *
            (curve.turn_rad - elementary::sin(curve.turn_rad));
  }
  return area;
}

double farthest_mm(const OutlineCurve& curve, const Vec2& x_mm) {
  const double of_ends = std::max((curve.begin_mm - x_mm).norm(), (curve.end_mm - x_mm).norm());
  if (!curve.is_arc()) return of_ends;
  const Vec2 to_center = curve.center_mm - x_mm;
  const Vec2 behind = curve.center_mm + to_center;
  if (to_center.isZero(0.0) || share_of_ray(curve, behind) > 1.0) return of_ends;
  return std::max(of_ends, to_center.norm() + curve.radius_mm);
}

Eigen::AlignedBox2d box_of(const OutlineCurve& curve) {
  Eigen::AlignedBox2d box(curve.begin_mm.cwiseMin(curve.end_mm),
                          curve.begin_mm.cwiseMax(curve.end_mm));
  if (!curve.is_arc()) return box;
  for (const Vec2& axis : {Vec2(1, 0), Vec2(0, 1), Vec2(-1, 0), Vec2(0, -1)}) {
    const Vec2 point = curve.center_mm + curve.radius_mm * axis;
    if (share_of_ray(curve, point) <= 1.0) box.extend(point);
  }
  return box;
}

Eigen::AlignedBox2d box_of(const OutlineLoop& loop) {
  Eigen::AlignedBox2d box;
  for (const OutlineCurve& curve : outline_curves(loop)) box.extend(box_of(curve));
  return box;
}

std::vector<std::pair<std::size_t, std::size_t>> overlapping_pairs(
    const std::vector<Eigen::AlignedBox2d>& boxes, double reach_mm) {
  std::vector<std::size_t> by_left(boxes.size());
  std::iota(by_left.begin(), by_left.end(), std::size_t{0});
  std::sort(by_left.begin(), by_left.end(),
            [&](std::size_t i, std::size_t j) { return boxes[i].min().x() < boxes[j].min().x(); });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::size_t> open;  // boxes that the sweep along x has not left yet
  for (std::size_t i : by_left) {
    const Eigen::AlignedBox2d& box = boxes[i];
    std::erase_if(open,
                  [&](std::size_t j) { return boxes[j].max().x() + reach_mm < box.min().x(); });
    for (std::size_t j : open) {
      const bool apart = boxes[j].max().y() + reach_mm < box.min().y() ||
                         box.max().y() + reach_mm < boxes[j].min().y();
      if (!apart) pairs.push_back(std::minmax(i, j));
    }
    open.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<CurveMeeting> meetings(const OutlineCurve& a, const OutlineCurve& b, double touch_mm) {
  std::vector<CurveMeeting> found;
  if (a.is_arc() && b.is_arc()) {
    append_circle_crossings(a, b, touch_mm, found);
  } else if (a.is_arc()) {
    append_line_circle_crossings(b, a, touch_mm, found);
    for (CurveMeeting& meeting : found) std::swap(meeting.share_a, meeting.share_b);
  } else if (b.is_arc()) {
    append_line_circle_crossings(a, b, touch_mm, found);
  } else {
    append_segment_crossings(a, b, found);
  }
  for (double end : {0.0, 1.0}) {
    const Vec2& of_a = end == 0.0 ? a.begin_mm : a.end_mm;
    const Vec2& of_b = end == 0.0 ? b.begin_mm : b.end_mm;
    if (distance_mm(b, of_a) <= touch_mm) found.push_back({of_a, end, closest_share(b, of_a)});
    if (distance_mm(a, of_b) <= touch_mm) found.push_back({of_b, closest_share(a, of_b), end});
  }
  return found;
}

}  // namespace graspmap
