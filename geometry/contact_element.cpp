#include "geometry/contact_element.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

using Kind = ContactElement::Kind;

Vec2 outward(const Vec2& tangent) { return -perp(tangent); }

ContactElement segment_element(const OutlineCurve& curve) {
  ContactElement element;
  element.kind = Kind::kSegment;
  element.point_mm = curve.begin_mm;
  element.length_mm = curve.length_mm();
  element.tangent = tangent_at(curve, 0.0);
  element.normal_lo = element.normal_hi = outward(element.tangent);
  element.lo_mm = curve.begin_mm;
  element.hi_mm = curve.end_mm;
  return element;
}

/// The normals of a concave arc turn clockwise along the chain: its end is the lower one.
ContactElement arc_element(const OutlineCurve& curve) {
  ContactElement element;
  element.point_mm = curve.center_mm;
  element.radius_mm = curve.radius_mm;
  element.span_rad = std::abs(curve.turn_rad);
  const Vec2 begin = (curve.begin_mm - curve.center_mm) / curve.radius_mm;
  const Vec2 end = (curve.end_mm - curve.center_mm) / curve.radius_mm;
  if (curve.turn_rad > 0.0) {
    element.kind = Kind::kRound;
    element.normal_lo = begin;
    element.normal_hi = end;
    element.lo_mm = curve.begin_mm;
    element.hi_mm = curve.end_mm;
  } else {
    element.kind = Kind::kHollow;
    element.normal_lo = -end;
    element.normal_hi = -begin;
    element.lo_mm = curve.end_mm;
    element.hi_mm = curve.begin_mm;
  }
  return element;
}

ContactElement corner_element(const Vec2& point_mm, const Vec2& before, const Vec2& after,
                              double turn_rad) {
  ContactElement element;
  element.point_mm = element.lo_mm = element.hi_mm = point_mm;
  element.normal_lo = before;
  element.normal_hi = after;
  element.span_rad = turn_rad;
  return element;
}

/// The outward normals where an element begins and ends, along the chain.
Vec2 begin_normal(const ContactElement& e) {
  return e.kind == Kind::kHollow ? e.normal_hi : e.normal_lo;
}
Vec2 end_normal(const ContactElement& e) {
  return e.kind == Kind::kHollow ? e.normal_lo : e.normal_hi;
}

int& next_of(ContactElement& e) { return e.kind == Kind::kHollow ? e.at_lo : e.at_hi; }
int& previous_of(ContactElement& e) { return e.kind == Kind::kHollow ? e.at_hi : e.at_lo; }

/// By how much the normal turns at a joint. A cusp turns by half a turn to either side: outwards.
double joint_turn(const ContactElement& before, const ContactElement& after) {
  const Vec2 n = end_normal(before);
  const Vec2 m = begin_normal(after);
  const double turn = elementary::atan2(cross(n, m), n.dot(m));
  return turn < tolerances::kRounding - std::numbers::pi ? std::numbers::pi : turn;
}

bool continues(const ContactElement& before, const ContactElement& after) {
  return before.kind == after.kind && before.kind != Kind::kSegment &&
         (before.point_mm - after.point_mm).norm() <=
             tolerances::kShapeRounding * before.radius_mm &&
         std::abs(before.radius_mm - after.radius_mm) <=
             tolerances::kShapeRounding * before.radius_mm;
}

void extend(ContactElement& arc, const ContactElement& next) {
  arc.span_rad += next.span_rad;
  arc.joined += next.joined;
  if (arc.kind == Kind::kHollow) {
    arc.normal_lo = next.normal_lo;
    arc.lo_mm = next.lo_mm;
  } else {
    arc.normal_hi = next.normal_hi;
    arc.hi_mm = next.hi_mm;
  }
}

/// The elements of the chain, arcs of one circle joined; the chain of a whole circle is one.
std::vector<ContactElement> joined_arcs(const OutlineLoop& loop) {
  std::vector<ContactElement> elements;
  const std::vector<OutlineCurve> chain = outline_curves(loop);
  for (std::size_t k = 0; k < chain.size(); ++k) {
    ContactElement element = chain[k].is_arc() ? arc_element(chain[k]) : segment_element(chain[k]);
    element.feature = static_cast<int>(k);
    if (!elements.empty() && continues(elements.back(), element)) {
      extend(elements.back(), element);
    } else {
      elements.push_back(element);
    }
  }
  if (elements.size() > 1 && continues(elements.back(), elements.front())) {
    extend(elements.back(), elements.front());
    elements.front() = elements.back();
    elements.pop_back();
  }
  return elements;
}

/// How far a ray from a point of the boundary into the region runs within it, mm; not looked at
/// beyond tolerances::kMostBeyondMm. 0 where it runs outside: along a convex arc that follows a
/// concave one, all but tangent.
double run_within_mm(const OutlineLoop& loop, const std::vector<OutlineCurve>& chain,
                     const Vec2& from, const Vec2& u) {
  constexpr double kMost = 2.0 * tolerances::kMostBeyondMm;
  const OutlineCurve ray = outline_curve(from, from + kMost * u, 0.0);
  double share = 1.0;
  for (const OutlineCurve& curve : chain) {
    if (distance_mm(curve, from) > kMost) continue;
    for (const CurveMeeting& meeting : meetings(ray, curve, 0.0)) {
      if (meeting.share_a > tolerances::kAtRayStart) share = std::min(share, meeting.share_a);
    }
  }
  return contains(loop, from + 0.5 * share * kMost * u) ? share * kMost : 0.0;
}

/// Sets how far elements reach beyond reflex corners, and beyond joints with concave arcs, in which
/// not everything fits.
void set_reaches(const OutlineLoop& loop, std::vector<ContactElement>& elements) {
  const std::vector<OutlineCurve> chain = outline_curves(loop);
  const auto is_last = [&](int neighbour) {
    return neighbour < 0 || elements[index(neighbour)].kind == Kind::kHollow;
  };
  for (ContactElement& e : elements) {
    if (e.kind == Kind::kRound && e.radius_mm == 0.0) continue;
    const double side = e.kind == Kind::kHollow ? -1.0 : 1.0;
    if (is_last(e.at_lo)) {
      e.beyond_lo_mm = 0.5 * run_within_mm(loop, chain, e.lo_mm, -side * perp(e.normal_lo));
    }
    if (is_last(e.at_hi)) {
      e.beyond_hi_mm = 0.5 * run_within_mm(loop, chain, e.hi_mm, side * perp(e.normal_hi));
    }
  }
}

}  // namespace

std::vector<ContactElement> contact_elements(const Outline& outline) {
  const std::vector<ContactElement> chain = joined_arcs(outline.outer);
  const std::size_t n = chain.size();
  const int features = static_cast<int>(outline.outer.size());
  std::vector<ContactElement> elements;
  if (n == 1) return chain;
  std::vector<bool> open;  // is there a reflex corner before the element?
  for (std::size_t k = 0; k < n; ++k) {
    const ContactElement& before = chain[(k + n - 1) % n];
    const double turn = joint_turn(before, chain[k]);
    const bool tangent = before.kind != Kind::kSegment || chain[k].kind != Kind::kSegment;
    const double smooth = tangent ? tolerances::kDrawnRounding : tolerances::kRounding;
    if (turn > smooth) {
      const Vec2& point = chain[k].kind == Kind::kHollow ? chain[k].hi_mm : chain[k].lo_mm;
      elements.push_back(corner_element(point, end_normal(before), begin_normal(chain[k]), turn));
      elements.back().feature = features + chain[k].feature;
      open.push_back(false);
    }
    elements.push_back(chain[k]);
    open.push_back(turn < -smooth);
  }
  const std::size_t count = elements.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t before = (k + count - 1) % count;
    if (open[k]) continue;
    previous_of(elements[k]) = static_cast<int>(before);
    next_of(elements[before]) = static_cast<int>(k);
  }
  set_reaches(outline.outer, elements);
  return elements;
}

ContactElement placed(const ContactElement& element, const Pose2& pose, int first,
                      int first_feature) {
  const Rotation2 R(pose.angle_rad);
  ContactElement moved = element;
  for (Vec2* point : {&moved.point_mm, &moved.lo_mm, &moved.hi_mm}) {
    *point = pose.position_mm + R * *point;
  }
  for (Vec2* direction : {&moved.tangent, &moved.normal_lo, &moved.normal_hi}) {
    *direction = R * *direction;
  }
  if (moved.at_lo >= 0) moved.at_lo += first;
  if (moved.at_hi >= 0) moved.at_hi += first;
  moved.feature += first_feature;
  return moved;
}

NormalRange range_of(const ContactElement& element, const Vec2& u, double slack) {
  const bool above_lo = cross(element.normal_lo, u) >= -slack;
  const bool below_hi = cross(u, element.normal_hi) >= -slack;
  if (element.span_rad <= std::numbers::pi) {
    // The direction opposite to a narrow range passes both tests within the slack.
    if (above_lo && below_hi && u.dot(element.normal_lo + element.normal_hi) >= -slack) {
      return NormalRange::kInside;
    }
  } else if (above_lo || below_hi ||
             element.span_rad > 2.0 * std::numbers::pi - tolerances::kRounding) {
    return NormalRange::kInside;
  }
  return u.dot(element.normal_lo) >= u.dot(element.normal_hi) ? NormalRange::kBelow
                                                              : NormalRange::kAbove;
}

BoundingCircle bounding_circle(const ContactElement& element) {
  const Vec2 middle = 0.5 * (element.lo_mm + element.hi_mm);
  const double half_chord = 0.5 * (element.hi_mm - element.lo_mm).norm();
  if (element.kind == Kind::kSegment || element.radius_mm == 0.0) return {middle, half_chord};
  if (element.span_rad >= std::numbers::pi) return {element.point_mm, element.radius_mm};
  // The arc of less than half a turn lies in the circle about its chord's middle.
  return {middle, std::max(half_chord, element.radius_mm - (middle - element.point_mm).norm())};
}

}  // namespace graspmap
