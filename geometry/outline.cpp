#include "geometry/outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/unit_vector.hpp"

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
    const OutlineElement& element = loop[n - 1 - k];
    const Vec2& begin = loop[(n - k) % n].begin_mm;
    chain[k] = {{-begin.x(), begin.y()}, element.bulge, element.name};
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

std::vector<OutlineCurve> outline_curves(const OutlineLoop& loop) {
  std::vector<OutlineCurve> chain;
  chain.reserve(loop.size());
  for (std::size_t k = 0; k < loop.size(); ++k) {
    chain.push_back(
        outline_curve(loop[k].begin_mm, loop[(k + 1) % loop.size()].begin_mm, loop[k].bulge));
  }
  return chain;
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
  double least = std::numeric_limits<double>::infinity();
  for (const OutlineCurve& curve : chain) {
    const Vec2 x = point_at(curve, 0.5);
    const Vec2 inwards = perp(tangent_at(curve, 0.5));
    const double rounding = tolerances::kHandOver * (1.0 + curve.length_mm());
    for (const OutlineCurve& other : chain) {
      least = std::min(least, ray_to_curve_mm(other, x, inwards, rounding));
    }
  }
  return least;
}

std::string element_name(const OutlineLoop& loop, std::size_t k) {
  if (!loop[k].name.empty()) return loop[k].name;
  return (loop[k].bulge == 0.0 ? "edge " : "arc ") + std::to_string(k + 1);
}

}  // namespace graspmap
