#include "sim/closing/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/elementary/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

bool same(const Superellipse& a, const Superellipse& b) {
  return a.a_mm == b.a_mm && a.b_mm == b.b_mm && a.exponent == b.exponent;
}

/// The rectangle of some pieces' circles.
struct Box {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = -low;

  void add(const BodyPiece& piece) {
    low = low.cwiseMin((piece.p_BA_mm.array() - piece.bounding_radius_mm).matrix());
    high = high.cwiseMax((piece.p_BA_mm.array() + piece.bounding_radius_mm).matrix());
  }
};

}  // namespace

void CircleTree::build(const std::vector<BodyPiece>& pieces) {
  nodes_.clear();
  order_.resize(pieces.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (!pieces.empty()) add_node(pieces, 0, pieces.size());
}

void CircleTree::add_node(const std::vector<BodyPiece>& pieces, std::size_t first,
                          std::size_t last) {
  Box box;
  for (std::size_t i = first; i < last; ++i) box.add(pieces[order_[i]]);
  Node node;
  node.center_B_mm = 0.5 * (box.low + box.high);
  for (std::size_t i = first; i < last; ++i) {
    const BodyPiece& piece = pieces[order_[i]];
    const double distance = (piece.p_BA_mm - node.center_B_mm).norm();
    node.radius_mm = std::max(node.radius_mm, distance + piece.bounding_radius_mm);
  }
  const std::size_t k = nodes_.size();
  nodes_.push_back(node);
  if (last - first <= index(tolerances::kLeafPieces)) {
    nodes_[k].first = first;
    nodes_[k].last = last;
  } else {
    const Vec2 size = box.high - box.low;
    const Eigen::Index axis = size.x() > size.y() ? 0 : 1;
    const std::size_t middle = first + (last - first) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last), [&](std::size_t i, std::size_t j) {
      return pieces[i].p_BA_mm[axis] < pieces[j].p_BA_mm[axis];
    });
    add_node(pieces, first, middle);
    add_node(pieces, middle, last);
  }
  nodes_[k].after = nodes_.size();
}

bool BroadPhase::is_part(const Part& part, const Vec2& center_of_mass_P_mm) const {
  return center_of_mass_P_mm == center_of_mass_P_mm_ &&
         std::equal(part.pieces.begin(), part.pieces.end(), part_.pieces.begin(),
                    part_.pieces.end(),
                    [](const Piece& a, const Piece& b) {
                      return same(a.shape, b.shape) && a.pose == b.pose &&
                             a.friction_factor == b.friction_factor;
                    }) &&
         std::equal(part.outlines.begin(), part.outlines.end(), part_.outlines.begin(),
                    part_.outlines.end(), [](const OutlinePiece& a, const OutlinePiece& b) {
                      return same_shape(a.outline, b.outline) && a.pose == b.pose &&
                             a.friction_factor == b.friction_factor;
                    });
}

bool BroadPhase::set_part(const Part& part, const Vec2& center_of_mass_P_mm) {
  if (is_part(part, center_of_mass_P_mm)) return false;
  part_ = part;
  center_of_mass_P_mm_ = center_of_mass_P_mm;
  make_body_pieces(part, center_of_mass_P_mm, bodies_.pieces);
  add_outline_pieces(part, center_of_mass_P_mm, bodies_);
  bodies_.plain = part.outlines.empty() && bodies_.fingers.quarter_planes;
  tree_.build(bodies_.pieces);
  reach_mm_ = bounding_radius_mm(part, center_of_mass_P_mm);
  smallest_semi_axis_mm_ = std::numeric_limits<double>::infinity();
  for (const Piece& piece : part.pieces) {
    smallest_semi_axis_mm_ = std::min({smallest_semi_axis_mm_, piece.shape.a_mm, piece.shape.b_mm});
  }
  for (const OutlinePiece& piece : part.outlines) {
    smallest_semi_axis_mm_ = std::min(smallest_semi_axis_mm_, 0.5 * least_width_mm(piece.outline));
  }
  forget_near_pieces();
  return true;
}

bool BroadPhase::set_fingers(const Gripper& gripper, const std::vector<Obstacle>& obstacles) {
  if (same_fingers(gripper, gripper_) && same_obstacles(obstacles, obstacles_)) return false;
  gripper_ = gripper;
  obstacles_ = obstacles;
  bodies_.fingers = Fingers(gripper, obstacles);
  bodies_.plain = part_.outlines.empty() && bodies_.fingers.quarter_planes;
  forget_near_pieces();
  return true;
}

void BroadPhase::forget_near_pieces() {
  near_.clear();
  near_.reserve(bodies_.pieces.size());
  listed_reach_mm_ = -std::numeric_limits<double>::infinity();
}

/// By how much gaps may have changed since pieces were listed, with rounding: the gap of a circle
/// to a jaw changes by no more than the circle and the jaw move. Lists them again where the list
/// does not hold all within `reach_mm`.
double BroadPhase::moved_since_listed_mm(const Configuration& q, double reach_mm) {
  const double moved_mm = largest_motion_mm(listed_at_, q, reach_mm_) + tolerances::kRounding;
  if (reach_mm + moved_mm <= listed_reach_mm_) return moved_mm;
  list_near_pieces(q, reach_mm);
  return tolerances::kRounding;
}

/// The list reaches further than `reach_mm`: it then serves for some steps, in each of which part
/// and jaws move by up to `reach_mm`.
void BroadPhase::list_near_pieces(const Configuration& q, double reach_mm) {
  listed_at_ = q;
  listed_reach_mm_ = tolerances::kMostGrowth * std::max(reach_mm, tolerances::kNearMm);
  const auto is_near = [&](const Vec2& center_B_mm, double radius_mm) {
    const double limit = listed_reach_mm_ + tolerances::kRounding;
    return !(circle_gap_mm(bodies_, center_B_mm, radius_mm, q) > limit);
  };
  near_.clear();
  tree_.visit(is_near, [&](std::size_t i) {
    const BodyPiece& piece = bodies_.pieces[i];
    if (!is_near(piece.p_BA_mm, piece.bounding_radius_mm)) return;
    NearPiece near{i};
    for (int k = 0; k < bodies_.fingers.sides; ++k) {
      near.gap_mm[index(k)] = gap_bound_mm(piece, q, kJawSides[index(k)]);
    }
    near_.push_back(near);
  });
  std::sort(near_.begin(), near_.end(),
            [](const NearPiece& a, const NearPiece& b) { return a.piece < b.piece; });
}

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A pair's jaw closed by so much.
Configuration closed_by(Configuration open, double travel_mm) {
  open.jaw_right_mm -= travel_mm;
  open.jaw_left_mm += travel_mm;
  return open;
}

constexpr std::array kJaws{JawSide::kRight, JawSide::kLeft};

/// The gap of two convex bodies is a convex function of a translation, so Newton's method from the
/// open side comes down to the root and never passes it.
double travel_of_pair_mm(const BodyPiece& piece, const Configuration& open, JawSide side,
                         double limit_mm, double gap_mm) {
  if (gap_lower_bound_mm(piece, closed_by(open, limit_mm), side) > gap_mm) return limit_mm;
  double travel = 0.0;
  for (int k = 0; k < tolerances::kMostIterations && travel < limit_mm; ++k) {
    const ClosestPoints closest = closest_points(piece, closed_by(open, travel), side);
    const double excess = closest.psi_mm - gap_mm;
    const double next = travel + excess / std::abs(closest.normal.x());
    if (!(next > travel)) return travel;  // there; or the jaw passes below (normal.x = 0: NaN, inf)
    travel = next;
  }
  return std::min(travel, limit_mm);
}

/// The first travel > 0 at which psi + rate * travel falls to gap; infinity if it does not.
double linear_travel_mm(double psi_mm, double rate, double gap_mm) {
  if (psi_mm <= gap_mm && psi_mm >= -tolerances::kTouchMm && rate < 0.0) return 0.0;
  return rate < 0.0 && psi_mm > gap_mm ? (gap_mm - psi_mm) / rate : kNever;
}

/// The travel at which the distance of two centres, w + travel u with |u| = 1, becomes `distance`:
/// from outside of that circle (`enters`) or from inside; infinity if it does not.
double circular_travel_mm(const Vec2& w, const Vec2& u, double distance_mm, bool enters) {
  const double half = w.dot(u);
  const double root2 = half * half - w.squaredNorm() + distance_mm * distance_mm;
  if (root2 < 0.0) return kNever;
  const double travel = -half + (enters ? -std::sqrt(root2) : std::sqrt(root2));
  return travel >= 0.0 ? travel : kNever;
}

/// The travel at which two elements touch as if they had no ends.
double travel_of_elements_mm(const ContactElement& p, const ContactElement& f,
                             const Configuration& q, const Vec2& p_GF, const Vec2& u,
                             double gap_mm) {
  const Vec2 w = q.part_pose.head<2>() + q.R_GB * p.point_mm - p_GF - f.point_mm;
  if (f.kind == ContactElement::Kind::kSegment) {
    return linear_travel_mm(f.normal_lo.dot(w) - p.radius_mm, f.normal_lo.dot(u), gap_mm);
  }
  if (p.kind == ContactElement::Kind::kSegment) {
    const Vec2 n = q.R_GB * Vec2(-p.normal_lo);
    return linear_travel_mm(n.dot(w) - f.radius_mm, n.dot(u), gap_mm);
  }
  if (p.kind == ContactElement::Kind::kHollow || f.kind == ContactElement::Kind::kHollow) {
    const double distance = std::abs(p.radius_mm - f.radius_mm) - gap_mm;
    return distance > 0.0 ? circular_travel_mm(w, u, distance, false) : kNever;
  }
  return circular_travel_mm(w, u, p.radius_mm + f.radius_mm + gap_mm, true);
}

/// How far the jaws close before an element of an outline and one of a finger touch.
double travel_of_pair_mm(const ContactBodies& bodies, const Pair& pair, const Configuration& open,
                         double limit_mm, double gap_mm) {
  const Finger& finger = bodies.fingers.by_side[side_index(pair.side)];
  const ContactElement& p = bodies.elements[index(pair.piece)];
  const ContactElement& f = finger.elements[index(pair.finger)];
  if (!can_touch(p, f)) return limit_mm;
  const Vec2 u(mirror_sign(pair.side), 0.0);  // of the part, seen from the jaw
  const double travel = travel_of_elements_mm(p, f, open, {open.jaw_mm(pair.side), 0.0}, u, gap_mm);
  if (!(travel < limit_mm)) return limit_mm;
  return faces(bodies, pair, closed_by(open, travel), tolerances::kRounding) ? travel : limit_mm;
}

/// The gap of a superellipse to a finger, and how far the jaw may close before one of its contacts
/// does, as long as it keeps its normal.
struct FingerGap {
  double gap_mm = kNever;
  double normal_x = 1.0;  ///< of the smallest gap
  double travel_mm = kNever;
};

FingerGap gap_to_finger(const ContactBodies& bodies, int piece, JawSide side,
                        const Configuration& q, double gap_mm) {
  FingerGap found;
  visit_contacts(bodies, piece, side, q, -2.0 * tolerances::kLookMm, kNever, tolerances::kRounding,
                 [&](const Pair&, const ClosestPoints& closest) {
                   const double rate = std::abs(closest.normal.x());
                   const double left = std::max(closest.psi_mm - gap_mm, 0.0);
                   if (left < rate * found.travel_mm) found.travel_mm = left / rate;
                   if (closest.psi_mm >= found.gap_mm) return;
                   found.gap_mm = closest.psi_mm;
                   found.normal_x = rate;
                 });
  return found;
}

/// The same for a superellipse and a finger's outline. No gap falls faster than the jaw moves, so
/// that steps of the gap's length never pass the first contact. Of two convex bodies none falls
/// faster than along its normal, which is much slower where they graze: such steps are tried, and
/// taken back where they meet something else.
double travel_to_finger_mm(const ContactBodies& bodies, int piece, JawSide side,
                           const Configuration& open, double limit_mm, double gap_mm) {
  double travel = 0.0;
  double safe = 0.0;
  for (int k = 0; k < tolerances::kMostAdvances && travel < limit_mm; ++k) {
    const FingerGap found = gap_to_finger(bodies, piece, side, closed_by(open, travel), gap_mm);
    const double left = found.gap_mm - gap_mm;
    if (left < -tolerances::kClosedGapMm && travel > safe) {
      travel = safe;
      continue;
    }
    if (left <= tolerances::kClosedGapMm * found.normal_x) return travel + found.travel_mm;
    safe = travel + left;
    travel += std::min(found.travel_mm, left + tolerances::kLookMm);
  }
  return std::min(travel, limit_mm);
}

double travel_mm(const PlainContacts& /*contacts*/, const BroadPhase& part,
                 const Configuration& open, Coupling coupling, double limit_mm, double gap_mm) {
  double travel = limit_mm;
  const auto is_reached = [&](const Vec2& center_B_mm, double radius_mm) {
    const double limit = gap_mm + tolerances::kRounding;
    return !(circle_gap_mm(center_B_mm, radius_mm, closed_by(open, travel)) > limit);
  };
  part.tree().visit(is_reached, [&](std::size_t i) {
    for (const JawSide side : kJaws) {
      if (!moves(coupling, side)) continue;
      travel = std::min(travel, travel_of_pair_mm(part.pieces()[i], open, side, travel, gap_mm));
    }
  });
  return travel;
}

/// A finger may pass beside the part: the circles' gaps at the end say nothing.
double travel_mm(const OutlineContacts& contacts, const BroadPhase& /*part*/,
                 const Configuration& open, Coupling coupling, double limit_mm, double gap_mm) {
  const ContactBodies& bodies = contacts.bodies;
  double travel = limit_mm;
  for (int i = 0; i < static_cast<int>(bodies.pieces.size()); ++i) {
    for (const JawSide side : kJaws) {
      if (!moves(coupling, side)) continue;
      const BodyPiece& piece = bodies.pieces[index(i)];
      if (bodies.meets_whole(i)) {
        travel = std::min(travel, travel_of_pair_mm(piece, open, side, travel, gap_mm));
      } else if (!piece.is_element) {
        travel = std::min(travel, travel_to_finger_mm(bodies, i, side, open, travel, gap_mm));
      } else {
        const std::size_t elements = bodies.fingers.by_side[side_index(side)].elements.size();
        for (int k = 0; k < static_cast<int>(elements); ++k) {
          travel = std::min(travel, travel_of_pair_mm(bodies, {i, side, k}, open, travel, gap_mm));
        }
      }
    }
  }
  return travel;
}

}  // namespace

FreeTravel::FreeTravel(const Gripper& gripper)
    : speed_mm_s(gripper.closing_speed_mm_s), tau_s(gripper.speed_up_s()) {}

double FreeTravel::speed_at(double time_s) const {
  return -speed_mm_s * elementary::expm1(-time_s / tau_s);
}

double FreeTravel::travel_at(double time_s) const {
  return speed_mm_s * (time_s + tau_s * elementary::expm1(-time_s / tau_s));
}

double FreeTravel::reached_speed_mm_s(double travel_mm) const {
  return speed_at(time_of(travel_mm));
}

double FreeTravel::time_of(double travel_mm) const {
  if (travel_mm <= 0.0) return 0.0;
  // s(t) is convex and increasing: Newton from an upper bound descends to the root.
  double t = travel_mm / speed_mm_s + tau_s;
  for (int k = 0; k < tolerances::kMostIterations; ++k) {
    const double next = t - (travel_at(t) - travel_mm) / speed_at(t);
    if (!(next < t) || next <= 0.0) break;
    t = next;
  }
  return t;
}

double travel_to_contact_mm(const BroadPhase& part, const State& state, double limit_mm,
                            double gap_mm, Coupling coupling) {
  const Configuration open(state);
  return with_contacts(part.bodies(), [&](const auto& contacts) {
    return travel_mm(contacts, part, open, coupling, limit_mm, gap_mm);
  });
}

double skip_free_travel(const Scenario& scenario, const BroadPhase& part, double gap_mm,
                        State& state) {
  return skip_free_travel(scenario.gripper, part, gap_mm, scenario.stop.closed_opening_mm,
                          scenario.stop.timeout_s, state);
}

double skip_free_travel(const Gripper& gripper, const BroadPhase& part, double gap_mm,
                        double closed_opening_mm, double longest_s, State& state) {
  const bool right = moves(gripper.coupling, JawSide::kRight);
  const bool left = moves(gripper.coupling, JawSide::kLeft);
  const double share = right && left ? 0.5 : 1.0;
  const double to_closed = share * (state.jaw_right_mm - state.jaw_left_mm - closed_opening_mm);
  const FreeTravel free(gripper);
  const double limit = std::min(std::max(to_closed, 0.0), free.travel_at(longest_s));
  const double travel = travel_to_contact_mm(part, state, limit, gap_mm, gripper.coupling);
  const double time_s = free.time_of(travel);
  const double speed = free.speed_at(time_s);
  if (right) {
    state.jaw_right_mm -= travel;
    state.jaw_right_mm_s = -speed;
  }
  if (left) {
    state.jaw_left_mm += travel;
    state.jaw_left_mm_s = speed;
  }
  return time_s;
}

}  // namespace graspmap
