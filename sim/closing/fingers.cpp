#include "sim/closing/fingers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

bool same_loop(const OutlineLoop& a, const OutlineLoop& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const OutlineElement& e, const OutlineElement& f) {
                      return e.begin_mm == f.begin_mm && e.bulge == f.bulge;
                    });
}

bool same_outline(const std::optional<Outline>& a, const std::optional<Outline>& b) {
  return a.has_value() == b.has_value() && (!a || same_shape(*a, *b));
}

ContactElement far_edge(const Vec2& begin, const Vec2& tangent) {
  ContactElement edge;
  edge.kind = ContactElement::Kind::kSegment;
  edge.point_mm = edge.lo_mm = begin;
  edge.length_mm = tolerances::kFarMm;
  edge.tangent = tangent;
  edge.hi_mm = begin + edge.length_mm * tangent;
  edge.normal_lo = edge.normal_hi = -perp(tangent);
  return edge;
}

Finger outlined(const Outline& outline) {
  Finger finger;
  finger.elements = contact_elements(outline);
  finger.low_mm = Vec2::Constant(std::numeric_limits<double>::infinity());
  finger.high_mm = -finger.low_mm;
  for (const ContactElement& element : finger.elements) {
    const BoundingCircle circle = bounding_circle(element);
    const Vec2 reach = Vec2::Constant(circle.radius_mm);
    finger.low_mm = finger.low_mm.cwiseMin(circle.center_mm - reach);
    finger.high_mm = finger.high_mm.cwiseMax(circle.center_mm + reach);
  }
  return finger;
}

}  // namespace

std::vector<ContactElement> quarter_plane_elements(JawSide side) {
  // Counter-clockwise about the jaw: the right one's top edge, fingertip, inside edge; the left
  // one's inside edge, fingertip, top edge.
  constexpr double kFar = tolerances::kFarMm;
  const bool right = side == JawSide::kRight;
  ContactElement inside = right ? far_edge({0, 0}, {0, -1}) : far_edge({0, -kFar}, {0, 1});
  ContactElement top = right ? far_edge({kFar, 0}, {-1, 0}) : far_edge({0, 0}, {-1, 0});
  ContactElement tip;
  tip.normal_lo = right ? top.normal_lo : inside.normal_lo;
  tip.normal_hi = right ? inside.normal_lo : top.normal_lo;
  tip.span_rad = 0.5 * std::numbers::pi;
  constexpr int kInside = static_cast<int>(JawFeature::kInsideEdge);
  constexpr int kTip = static_cast<int>(JawFeature::kVertex);
  constexpr int kTop = static_cast<int>(JawFeature::kTopEdge);
  tip.at_lo = right ? kTop : kInside;
  tip.at_hi = right ? kInside : kTop;
  (right ? top.at_hi : top.at_lo) = kTip;
  (right ? inside.at_lo : inside.at_hi) = kTip;
  tip.feature = kTip;
  top.feature = kTop;
  return {inside, tip, top};
}

Fingers::Fingers(const Gripper& gripper) {
  quarter_planes = !gripper.right_finger && !gripper.left_finger && !gripper.palm;
  Finger& right = by_side[side_index(JawSide::kRight)];
  Finger& left = by_side[side_index(JawSide::kLeft)];
  if (gripper.right_finger && gripper.left_finger) {
    right = outlined(*gripper.right_finger);
    left = outlined(*gripper.left_finger);
  } else {
    constexpr double kFar = tolerances::kFarMm;
    right = {quarter_plane_elements(JawSide::kRight), {0, -kFar}, {kFar, 0}, true};
    left = {quarter_plane_elements(JawSide::kLeft), {-kFar, -kFar}, {0, 0}, true};
  }
  if (!gripper.palm) return;
  sides = 3;
  by_side[side_index(JawSide::kPalm)] = outlined(*gripper.palm);
}

bool same_fingers(const Gripper& a, const Gripper& b) {
  return same_outline(a.right_finger, b.right_finger) &&
         same_outline(a.left_finger, b.left_finger) && same_outline(a.palm, b.palm);
}

bool same_shape(const Outline& a, const Outline& b) {
  return same_loop(a.outer, b.outer) &&
         std::equal(a.holes.begin(), a.holes.end(), b.holes.begin(), b.holes.end(), same_loop);
}

}  // namespace graspmap
