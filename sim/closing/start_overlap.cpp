#include "sim/closing/start_overlap.hpp"

#include <algorithm>

#include "geometry/index.hpp"
#include "geometry/outline_boundary.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/starts_free.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

/// What is at a side as a closed loop in its own frame. A quarter-plane is a large square.
OutlineLoop finger_loop(const Gripper& gripper, JawSide side) {
  if (side == JawSide::kPalm) return gripper.palm->outer;
  const std::optional<Outline>& finger =
      side == JawSide::kRight ? gripper.right_finger : gripper.left_finger;
  if (finger) return finger->outer;
  const double x = mirror_sign(side) * tolerances::kFarMm;
  const double y = -tolerances::kFarMm;
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
  for (int k = 0; k < tolerances::kOverlapThirds; ++k) {
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
    if (side_index(side) >= index(bodies.fingers.sides)) break;
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

bool starts_free(const Scenario& scenario, const State& state) {
  BroadPhase part;
  part.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
  part.set_fingers(scenario.gripper);
  if (part.bodies().plain) return smallest_gap_mm(scenario, state) >= 0;
  return !overlaps_fingers(scenario, part.bodies(), state);
}

}  // namespace graspmap
