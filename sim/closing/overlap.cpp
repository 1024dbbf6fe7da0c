#include "sim/closing/overlap.hpp"

#include <algorithm>

#include "geometry/element_overlap.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// The outline of what is at a side; null for a quarter-plane.
const Outline* outline_at(const Gripper& gripper, JawSide side) {
  if (side == JawSide::kPalm) return gripper.palm ? &*gripper.palm : nullptr;
  const std::optional<Outline>& finger =
      side == JawSide::kRight ? gripper.right_finger : gripper.left_finger;
  return finger ? &*finger : nullptr;
}

/// What is at a side as a closed loop in its own frame. A quarter-plane is a large square.
OutlineLoop finger_loop(const Gripper& gripper, JawSide side) {
  if (const Outline* outline = outline_at(gripper, side)) return outline->outer;
  const double x = mirror_sign(side) * tolerances::kFarthestCoordinateMm;
  const double y = -tolerances::kFarthestCoordinateMm;
  OutlineLoop square;
  for (const Vec2& corner : {Vec2(std::min(x, 0.0), y), Vec2(std::max(x, 0.0), y),
                             Vec2(std::max(x, 0.0), 0.0), Vec2(std::min(x, 0.0), 0.0)}) {
    square.push_back({corner, 0.0, ""});
  }
  return square;
}

OutlineLoop moved(OutlineLoop loop, const Pose2& pose) {
  for (OutlineElement& element : loop) element.begin_mm = transform(pose, element.begin_mm);
  return loop;
}

bool any_meet(const std::vector<OutlineCurve>& a, const std::vector<OutlineCurve>& b) {
  return std::any_of(a.begin(), a.end(), [&](const OutlineCurve& curve) {
    return std::any_of(b.begin(), b.end(), [&](const OutlineCurve& other) {
      return !meetings(curve, other, 0.0).empty();
    });
  });
}

bool overlap(const OutlineLoop& a, const OutlineLoop& b) {
  return contains(a, b.front().begin_mm) || contains(b, a.front().begin_mm) ||
         any_meet(outline_curves(a), outline_curves(b));
}

/// The least value of a superellipse's function along a curve, from the smallest of some samples:
/// along a segment the function is convex, and so it is along short pieces of an arc.
double least_value(const Superellipse& shape, const Pose2& X_GA, const OutlineCurve& curve) {
  constexpr int kParts = 32;
  const auto f = [&](double s) {
    return value(shape, inverse_transform(X_GA, point_at(curve, s / kParts)));
  };
  int nearest = 0;
  for (int k = 1; k <= kParts; ++k) nearest = f(k) < f(nearest) ? k : nearest;
  double lo = std::max(nearest - 1, 0);
  double hi = std::min(nearest + 1, kParts);
  for (int k = 0; k < tolerances::kMostIterations; ++k) {
    const double third = (hi - lo) / 3.0;
    if (f(lo + third) < f(hi - third)) {
      hi -= third;
    } else {
      lo += third;
    }
  }
  return f(0.5 * (lo + hi));
}

bool overlap(const Superellipse& shape, const Pose2& X_GA, const OutlineLoop& loop) {
  if (contains(loop, X_GA.position_mm)) return true;
  const std::vector<OutlineCurve> chain = outline_curves(loop);
  return std::any_of(chain.begin(), chain.end(), [&](const OutlineCurve& curve) {
    return least_value(shape, X_GA, curve) <= 0.0;
  });
}

}  // namespace

bool overlaps_fingers(const Scenario& scenario, const ContactBodies& bodies, const State& state) {
  const Configuration q(state);
  const Pose2 X_GP = part_pose_in_gripper(scenario, state);
  for (const JawSide side : kJawSides) {
    if (side == JawSide::kObstacle) break;
    if (bodies.fingers.by_side[side_index(side)].elements.empty()) continue;
    const Pose2 X_GF{{q.jaw_mm(side), 0.0}, 0.0};
    const OutlineLoop finger = moved(finger_loop(scenario.gripper, side), X_GF);
    const bool any_near =
        std::any_of(bodies.pieces.begin(), bodies.pieces.end(), [&](const BodyPiece& piece) {
          return circle_gap_mm(bodies, piece.p_BA_mm, piece.bounding_radius_mm, q, side) <= 0.0;
        });
    for (const OutlinePiece& outline : scenario.part.outlines) {
      const OutlineLoop loop = moved(outline.outline.outer, compose(X_GP, outline.pose));
      if (any_near ? overlap(loop, finger) : contains(loop, finger.front().begin_mm)) return true;
    }
    for (const Piece& piece : scenario.part.pieces) {
      if (any_near && overlap(piece.shape, compose(X_GP, piece.pose), finger)) return true;
    }
  }
  return false;
}

namespace {

/// True for a point, in the frame of what is at a side, that lies within it.
bool holds(const Scenario& scenario, const Finger& finger, JawSide side, const Vec2& x_F) {
  if ((x_F - finger.low_mm).minCoeff() < 0.0 || (finger.high_mm - x_F).minCoeff() < 0.0)
    return false;
  if (side == JawSide::kObstacle) {
    return std::any_of(
        scenario.obstacles.begin(), scenario.obstacles.end(),
        [&](const Obstacle& obstacle) { return contains(obstacle.outline.outer, x_F); });
  }
  const Outline* outline = outline_at(scenario.gripper, side);
  if (outline == nullptr) return x_F.y() < 0.0 && mirror_sign(side) * x_F.x() > 0.0;
  return contains(outline->outer, x_F);
}

/// True when a piece of the part cuts what is at a side, or a superellipse lies within it.
[[gnu::always_inline]] inline bool piece_cuts(const Scenario& scenario, const ContactBodies& bodies,
                                              std::size_t i, JawSide side, const RelativePose& X_FB,
                                              double depth_mm) {
  const Finger& finger = bodies.fingers.by_side[side_index(side)];
  const BodyPiece& piece = bodies.pieces[i];
  const double radius = piece.bounding_radius_mm;
  const RelativePose X_FA{X_FB.p_mm + X_FB.R * piece.p_BA_mm, X_FB.R * piece.R_BA};
  if (!piece.is_element && holds(scenario, finger, side, X_FA.p_mm)) return true;
  return std::any_of(finger.elements.begin(), finger.elements.end(),
                     [&](const ContactElement& element) {
                       if (element.is_copy || !may_cut(element, X_FA.p_mm, radius)) return false;
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
    return holds(scenario, finger, side, x_F) && is_clear(elements, x_F, depth_mm);
  };
  const OutlineLoop& loop = piece.outline.outer;
  if (begins_within(loop.front()) || begins_within(loop[loop.size() / 2])) return true;
  const auto lies_within = [&](const ContactElement& first) {
    const Vec2 x_B = X_FB.R.inverse_times(first.lo_mm - X_FB.p_mm);
    return x_B.norm() < reach_mm && contains(loop, inverse_transform(piece.pose, p_PB + x_B)) &&
           std::all_of(
               bodies.elements.begin() + static_cast<std::ptrdiff_t>(scenario.part.pieces.size()),
               bodies.elements.end(),
               [&](const ContactElement& element) { return distance_mm(element, x_B) > depth_mm; });
  };
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const bool begins_outline =
        k == 0 || (!finger.obstacle.empty() && finger.obstacle[k] != finger.obstacle[k - 1]);
    if (begins_outline && lies_within(elements[k])) return true;
  }
  return false;
}

}  // namespace

bool overlaps_deeply(const Scenario& scenario, BroadPhase& part, const Configuration& q,
                     double depth_mm) {
  const ContactBodies& bodies = part.bodies();
  const auto pose = [&](JawSide side) {
    if (is_moved(side, q)) [[unlikely]] {
      const Configuration at = on_table(q);
      return RelativePose{at.part_pose.head<2>(), at.R_GB};
    }
    return RelativePose{q.part_pose.head<2>() - Vec2(q.jaw_mm(side), 0.0), q.R_GB};
  };
  bool any = false;
  part.visit_near_pairs(q, 0.0, [&](std::size_t i, JawSide side) {
    any = any || piece_cuts(scenario, bodies, i, side, pose(side), depth_mm);
  });
  for (const OutlinePiece& piece : scenario.part.outlines) {
    for (const JawSide side : kJawSides) {
      if (bodies.fingers.by_side[side_index(side)].elements.empty()) continue;
      any =
          any || outline_cuts(scenario, bodies, piece, side, pose(side), part.reach_mm(), depth_mm);
    }
  }
  return any;
}

int overlapped_obstacle(const Scenario& scenario, BroadPhase& part, const Configuration& q) {
  constexpr double kDepthMm = tolerances::kTouchMm;
  if (!overlaps_deeply(scenario, part, q, kDepthMm)) return -1;
  Scenario one = scenario;
  for (std::size_t k = 0; k < scenario.obstacles.size(); ++k) {
    one.obstacles = {scenario.obstacles[k]};
    BroadPhase with_one;
    with_one.set_part(one.part, one.mass.center_of_mass_P_mm);
    with_one.set_fingers(one.gripper, one.obstacles);
    if (overlaps_deeply(one, with_one, q, kDepthMm)) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace graspmap
