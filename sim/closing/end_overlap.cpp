#include "sim/closing/end_overlap.hpp"

#include <algorithm>

#include "geometry/element_overlap.hpp"
#include "geometry/index.hpp"
#include "geometry/outline_boundary.hpp"

namespace graspmap {
namespace {

/// The outline of what is at a side; null for a quarter-plane.
const Outline* outline_at(const Gripper& gripper, JawSide side) {
  if (side == JawSide::kPalm) return gripper.palm ? &*gripper.palm : nullptr;
  const std::optional<Outline>& finger =
      side == JawSide::kRight ? gripper.right_finger : gripper.left_finger;
  return finger ? &*finger : nullptr;
}

/// True for a point, in the frame of what is at a side, that lies within it.
bool holds(const Gripper& gripper, const Finger& finger, JawSide side, const Vec2& x_F) {
  if ((x_F - finger.low_mm).minCoeff() < 0.0 || (finger.high_mm - x_F).minCoeff() < 0.0)
    return false;
  const Outline* outline = outline_at(gripper, side);
  if (outline == nullptr) return x_F.y() < 0.0 && mirror_sign(side) * x_F.x() > 0.0;
  return contains(outline->outer, x_F);
}

/// True when a piece of the part cuts what is at a side, or a superellipse lies within it.
bool piece_cuts(const Scenario& scenario, const ContactBodies& bodies, std::size_t i, JawSide side,
                const RelativePose& X_FB, double depth_mm) {
  const Finger& finger = bodies.fingers.by_side[side_index(side)];
  const BodyPiece& piece = bodies.pieces[i];
  const double radius = piece.bounding_radius_mm;
  const RelativePose X_FA{X_FB.p_mm + X_FB.R * piece.p_BA_mm, X_FB.R * piece.R_BA};
  if (!piece.is_element && holds(scenario.gripper, finger, side, X_FA.p_mm)) return true;
  return std::any_of(finger.elements.begin(), finger.elements.end(),
                     [&](const ContactElement& element) {
                       if (!may_cut(element, X_FA.p_mm, radius)) return false;
                       return piece.is_element ? cuts(element, bodies.elements[i], X_FB, depth_mm)
                                               : cuts(element, piece.shape, radius, X_FA, depth_mm);
                     });
}

/// True when no element is within `depth_mm` of a point.
bool is_clear(const std::vector<ContactElement>& elements, const Vec2& x, double depth_mm) {
  return std::all_of(elements.begin(), elements.end(), [&](const ContactElement& element) {
    return distance_mm(element, x) > depth_mm;
  });
}

/// True when an outline's boundary begins within what is at a side, or that one's within the
/// outline: where no curves cross one of them lies within the other.
bool outline_cuts(const Scenario& scenario, const ContactBodies& bodies, const OutlinePiece& piece,
                  JawSide side, const RelativePose& X_FB, double reach_mm, double depth_mm) {
  const Finger& finger = bodies.fingers.by_side[side_index(side)];
  const std::vector<ContactElement>& elements = finger.elements;
  const Vec2& p_PB = scenario.mass.center_of_mass_P_mm;
  const auto begins_within = [&](const OutlineElement& element) {
    const Vec2 x_P = transform(piece.pose, element.begin_mm);
    const Vec2 x_F = X_FB.p_mm + X_FB.R * (x_P - p_PB);
    return holds(scenario.gripper, finger, side, x_F) && is_clear(elements, x_F, depth_mm);
  };
  const OutlineLoop& loop = piece.outline.outer;
  if (begins_within(loop.front()) || begins_within(loop[loop.size() / 2])) return true;
  const Vec2 x_B = X_FB.R.inverse_times(elements.front().lo_mm - X_FB.p_mm);
  return x_B.norm() < reach_mm && contains(loop, inverse_transform(piece.pose, p_PB + x_B)) &&
         std::all_of(
             bodies.elements.begin() + static_cast<std::ptrdiff_t>(scenario.part.pieces.size()),
             bodies.elements.end(),
             [&](const ContactElement& element) { return distance_mm(element, x_B) > depth_mm; });
}

}  // namespace

bool overlaps_deeply(const Scenario& scenario, BroadPhase& part, const Configuration& q,
                     double depth_mm) {
  const ContactBodies& bodies = part.bodies();
  const auto pose = [&](JawSide side) {
    return RelativePose{q.part_pose.head<2>() - Vec2(q.jaw_mm(side), 0.0), q.R_GB};
  };
  bool any = false;
  part.visit_near_pairs(q, 0.0, [&](std::size_t i, JawSide side) {
    any = any || piece_cuts(scenario, bodies, i, side, pose(side), depth_mm);
  });
  for (const OutlinePiece& piece : scenario.part.outlines) {
    for (const JawSide side : kJawSides) {
      if (side_index(side) >= index(bodies.fingers.sides)) break;
      any =
          any || outline_cuts(scenario, bodies, piece, side, pose(side), part.reach_mm(), depth_mm);
    }
  }
  return any;
}

}  // namespace graspmap
