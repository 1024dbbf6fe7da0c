#include "geometry/closest_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/assert.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

/// The piece's extreme point towards an edge's line, as if it were the closest one.
struct EdgePoint {
  EdgePoint(const Superellipse& piece, const Vec2& p_GA, const Rotation2& R_GA, const Vec2& vertex,
            const Vec2& n)
      : normal(n),
        boundary(support_boundary_point(piece, R_GA.inverse_times(-n))),
        on_piece_mm(p_GA + R_GA * boundary.position_mm),
        psi_mm(n.dot(on_piece_mm - vertex)) {}

  [[nodiscard]] ClosestPoints closest(JawFeature edge) const {
    return {psi_mm, normal, on_piece_mm, on_piece_mm - psi_mm * normal, edge, boundary};
  }

  Vec2 normal;
  BoundaryPoint boundary;
  Vec2 on_piece_mm;
  double psi_mm;
};

/// The normal of the contact with a disc: from the vertex to its centre, or an edge's.
JawFeature feature_of_disc(const Vec2& center, JawSide side, double fingertip_x_mm) {
  const double above_top = mirror_sign(side) * (center.x() - fingertip_x_mm);
  const bool beside_inside = center.y() <= 0.0;
  const bool beside_top = above_top >= 0.0;
  if (!beside_inside && !beside_top) return JawFeature::kVertex;
  // Beside both, the centre lies within the jaw: psi is the larger of both, the shorter way out.
  if (beside_inside && (!beside_top || -above_top >= center.y())) return JawFeature::kInsideEdge;
  return JawFeature::kTopEdge;
}

[[gnu::noinline]] ClosestPoints closest_points_of_disc(const Superellipse& disc, const Vec2& p_GA,
                                                       const Rotation2& R_GA, JawSide side,
                                                       double fingertip_x_mm) {
  const Vec2 vertex(fingertip_x_mm, 0.0);
  const Vec2 from_vertex = p_GA - vertex;
  const JawFeature feature = feature_of_disc(p_GA, side, fingertip_x_mm);
  Vec2 n = feature == JawFeature::kTopEdge ? top_normal() : inside_normal(side);
  double center_gap = n.dot(from_vertex);
  if (feature == JawFeature::kVertex) {
    center_gap = from_vertex.norm();
    n = from_vertex * (1.0 / center_gap);
  }
  const double psi = center_gap - disc.a_mm;
  const Vec2 on_piece = p_GA - disc.a_mm * n;
  const Vec2 on_jaw = feature == JawFeature::kVertex ? vertex : Vec2(on_piece - psi * n);
  return {psi, n, on_piece, on_jaw, feature, disc_point(disc.a_mm, R_GA.inverse_times(-n))};
}

/// The largest of n . (c - V) - h(-n) over the normals in between those of the edges, where its
/// derivative changes its sign between them. `c_V` is the piece's centre seen from the vertex.
[[gnu::cold, gnu::noinline]] double gap_of_vertex_mm(const Superellipse& piece, const Vec2& c_V,
                                                     const Rotation2& R_GA, JawSide side) {
  Vec2 low = inside_normal(side);
  Vec2 high = top_normal();
  double psi = 0.0;
  for (int k = 0; k < tolerances::kVertexNormalHalvings; ++k) {
    const Vec2 n = (low + high).normalized();
    const Vec2 on_piece = c_V + R_GA * support_point(piece, R_GA.inverse_times(-n));
    psi = n.dot(on_piece);
    (cross(n, on_piece) * mirror_sign(side) < 0.0 ? low : high) = n;
  }
  return psi;
}

}  // namespace

ClosestPoints closest_to_vertex(const Superellipse& piece, const Vec2& p_GA_mm,
                                const Rotation2& R_GA, const Vec2& vertex_mm, const Vec2& guess) {
  const Vec2 vertex_A = R_GA.inverse_times(vertex_mm - p_GA_mm);
  const BoundaryPoint boundary = closest_boundary_point(piece, vertex_A, guess);
  const Vec2 n = -(R_GA * boundary.normal);
  const Vec2 on_piece = p_GA_mm + R_GA * boundary.position_mm;
  return {n.dot(on_piece - vertex_mm), n, on_piece, vertex_mm, JawFeature::kVertex, boundary};
}

ClosestPoints closest_points(const Superellipse& piece, const Vec2& p_GA_mm, const Rotation2& R_GA,
                             JawSide side, double fingertip_x_mm, const Vec2& guess) {
  if (piece.is_disc()) return closest_points_of_disc(piece, p_GA_mm, R_GA, side, fingertip_x_mm);
  const Vec2 vertex(fingertip_x_mm, 0.0);
  // An edge holds the answer when the piece's extreme point lies beside the edge and not beyond the
  // vertex (the derivative of n . (c - V) - h(-n) in the normal's angle points out of the cone).
  // No point of the piece is further from its centre than `reach`, and none beside the top edge
  // when the whole piece is before the inside edge. The piece reaches below the top edge at least
  // as far as its extreme point beside the inside edge does.
  const double reach = piece.a_mm + piece.b_mm;
  bool is_inside = false;
  bool beside_inside = false;
  std::optional<EdgePoint> inside;
  if (p_GA_mm.y() <= reach) {
    inside.emplace(piece, p_GA_mm, R_GA, vertex, inside_normal(side));
    const double y = inside->on_piece_mm.y();
    beside_inside = y <= 0.0;
    is_inside = inside->psi_mm > 0.0 || (beside_inside && inside->psi_mm >= y);
  }
  const double above_top = mirror_sign(side) * (p_GA_mm.x() - fingertip_x_mm);
  if (!is_inside && above_top >= -reach) {
    const EdgePoint top(piece, p_GA_mm, R_GA, vertex, top_normal());
    const bool beside_top = mirror_sign(side) * (top.on_piece_mm.x() - fingertip_x_mm) >= 0.0;
    if (beside_top && (!beside_inside || top.psi_mm > inside->psi_mm)) {
      return top.closest(JawFeature::kTopEdge);
    }
  }
  if (!beside_inside) return closest_to_vertex(piece, p_GA_mm, R_GA, vertex, guess);
  return inside->closest(JawFeature::kInsideEdge);
}

[[gnu::cold]] double true_gap_mm(const Superellipse& piece, const Vec2& p_GA_mm,
                                 const Rotation2& R_GA, JawSide side, double fingertip_x_mm) {
  const ClosestPoints closest = closest_points(piece, p_GA_mm, R_GA, side, fingertip_x_mm);
  if (closest.feature != JawFeature::kVertex) return closest.psi_mm;
  const Vec2& n = closest.normal;
  const bool faces_jaw = n.y() >= -tolerances::kVertexNormalSlack &&
                         n.x() * mirror_sign(side) <= tolerances::kVertexNormalSlack;
  if (faces_jaw) return closest.psi_mm;
  return gap_of_vertex_mm(piece, p_GA_mm - Vec2(fingertip_x_mm, 0.0), R_GA, side);
}

namespace {

using Kind = ContactElement::Kind;
constexpr double kRadiusOfFlat = std::numeric_limits<double>::infinity();

/// A circle that an element touches with: a centre in G and a signed radius, < 0 for a hollow.
struct Circle {
  Vec2 center{0, 0};
  double radius = 0.0;
};

Circle circle_of(const ContactElement& element, const Vec2& center) {
  return {center, element.kind == Kind::kHollow ? -element.radius_mm : element.radius_mm};
}

const ContactElement& at(const std::vector<ContactElement>& elements, int i) {
  GRASPMAP_ASSERT(i >= 0 && index(i) < elements.size());
  return elements[index(i)];
}

/// Two circles: the distance along the line of their centres, n from the finger's to the part's
/// where both are convex.
ClosestPoints between_circles(const Circle& part, const Circle& finger) {
  const Vec2 w = part.center - finger.center;
  const double distance = w.norm();
  // In a hollow psi = R - |c_1 - c_2| - r, and the line of centres points the other way.
  const bool nested = part.radius < 0.0 || finger.radius < 0.0;
  Vec2 n = distance > 0.0 ? Vec2(w / distance) : Vec2(0.0, 1.0);
  if (nested) n = -n;
  ClosestPoints contact;
  contact.normal = n;
  contact.psi_mm = (nested ? -distance : distance) - part.radius - finger.radius;
  contact.on_piece_mm = part.center - part.radius * n;
  contact.on_jaw_mm = finger.center + finger.radius * n;
  contact.piece_radius_mm = part.radius;
  contact.jaw_radius_mm = finger.radius;
  return contact;
}

/// The state of the search for the pair that a contact is at.
class Follower {
 public:
  Follower(const PlacedElements& part, const FingerElements& finger, ElementPair& pair, bool walks)
      : part_(part), finger_(finger), pair_(pair), walks_(walks) {}

  ClosestPoints follow() {
    for (int k = 0; k < tolerances::kMostHandOvers; ++k) {
      const ContactElement& p = at(part_.elements, pair_.part);
      const ContactElement& f = at(finger_.elements, pair_.finger);
      bool done = false;
      if (f.kind == Kind::kSegment) {
        done = on_segment(p, f);
      } else if (p.kind == Kind::kSegment) {
        done = at_segment(p, f);
      } else {
        done = of_circles(p, f);
      }
      if (done) break;
    }
    return contact_;
  }

 private:
  [[nodiscard]] Vec2 part_point(const Vec2& x_B) const { return part_.p_GB_mm + part_.R_GB * x_B; }
  [[nodiscard]] Vec2 finger_point(const Vec2& x_F) const { return finger_.p_GF_mm + x_F; }

  /// Hands the contact to the part's neighbour beyond `end`, if that can touch the finger's
  /// element.
  bool hand_over_part(const ContactElement& p, const ContactElement& f, NormalRange end) {
    if (end == NormalRange::kInside || !walks_) return false;
    const int next = neighbour(p, end);
    if (next < 0 || !can_touch(at(part_.elements, next), f)) return false;
    pair_.part = next;
    return true;
  }

  bool hand_over_finger(const ContactElement& p, const ContactElement& f, NormalRange end) {
    if (end == NormalRange::kInside || !walks_) return false;
    const int next = neighbour(f, end);
    if (next < 0 || !can_touch(p, at(finger_.elements, next))) return false;
    pair_.finger = next;
    return true;
  }

  /// Near a reflex corner what faces an element's continuation meets the other side of the corner
  /// first; further away there may be nothing, and the contact opens as it continues. An arc that
  /// ends in a corner does so for what is nearly flush with the segment behind it: contacts with
  /// other normals `u` open.
  void open_beyond(const ContactElement& e, NormalRange end, const Vec2& u, const Vec2& on_e,
                   const Vec2& end_mm) {
    if (end == NormalRange::kInside || !walks_) return;
    if (e.kind != Kind::kSegment && ends(e, end)) {
      const double away = excess(e, u, end) - tolerances::kFlushExcess;
      contact_.psi_mm += std::max(0.0, tolerances::kAwayGapMm * away);
    } else {
      contact_.psi_mm += std::max(0.0, (on_e - end_mm).norm() - beyond_mm(e, end));
    }
  }
  void open_beyond_part(const ContactElement& p, NormalRange end) {
    open_beyond(p, end, part_.R_GB.inverse_times(-contact_.normal), contact_.on_piece_mm,
                part_point(end_point(p, end)));
  }
  void open_beyond_finger(const ContactElement& f, NormalRange end) {
    open_beyond(f, end, contact_.normal, contact_.on_jaw_mm, finger_point(end_point(f, end)));
  }

  /// True when an element has a neighbour beyond `end`: it ends there in a point. At a reflex
  /// corner it continues.
  static bool ends(const ContactElement& element, NormalRange end) {
    return end != NormalRange::kInside && neighbour(element, end) >= 0;
  }

  /// A round element of the part on a segment of the finger. True when the contact is found.
  bool on_segment(const ContactElement& p, const ContactElement& f) {
    const Vec2& n = f.normal_lo;
    Circle circle = circle_of(p, part_point(p.point_mm));
    const NormalRange range = range_of(p, part_.R_GB.inverse_times(-n), tolerances::kShapeRounding);
    if (hand_over_part(p, f, range)) return false;
    if (ends(p, range)) circle = {part_point(end_point(p, range)), 0.0};
    const Vec2 w = circle.center - finger_point(f.point_mm);
    contact_.normal = n;
    contact_.psi_mm = n.dot(w) - circle.radius;
    contact_.on_piece_mm = circle.center - circle.radius * n;
    contact_.on_jaw_mm = contact_.on_piece_mm - contact_.psi_mm * n;
    contact_.piece_radius_mm = circle.radius;
    contact_.jaw_radius_mm = kRadiusOfFlat;
    const NormalRange foot = foot_of(f, w.dot(f.tangent));
    if (hand_over_finger(p, f, foot)) return false;
    open_beyond_finger(f, foot);
    open_beyond_part(p, range);
    return true;
  }

  /// The same with the roles changed.
  bool at_segment(const ContactElement& p, const ContactElement& f) {
    const Vec2 n = part_.R_GB * Vec2(-p.normal_lo);
    const Vec2 t = part_.R_GB * p.tangent;
    Circle circle = circle_of(f, finger_point(f.point_mm));
    const NormalRange range = range_of(f, n, tolerances::kShapeRounding);
    if (hand_over_finger(p, f, range)) return false;
    if (ends(f, range)) circle = {finger_point(end_point(f, range)), 0.0};
    const Vec2 w = circle.center - part_point(p.point_mm);
    contact_.normal = n;
    contact_.psi_mm = -n.dot(w) - circle.radius;
    contact_.on_jaw_mm = circle.center + circle.radius * n;
    contact_.on_piece_mm = contact_.on_jaw_mm + contact_.psi_mm * n;
    contact_.piece_radius_mm = kRadiusOfFlat;
    contact_.jaw_radius_mm = circle.radius;
    const NormalRange foot = foot_of(p, w.dot(t));
    if (hand_over_part(p, f, foot)) return false;
    open_beyond_part(p, foot);
    open_beyond_finger(f, range);
    return true;
  }

  /// Two round elements, or one in a hollow. The normal leaves one of the ranges further than the
  /// other: that element's neighbour comes next.
  bool of_circles(const ContactElement& p, const ContactElement& f) {
    Circle part = circle_of(p, part_point(p.point_mm));
    Circle finger = circle_of(f, finger_point(f.point_mm));
    contact_ = between_circles(part, finger);
    const Vec2 u = part_.R_GB.inverse_times(-contact_.normal);
    const NormalRange on_part = range_of(p, u, tolerances::kShapeRounding);
    const NormalRange on_finger = range_of(f, contact_.normal, tolerances::kShapeRounding);
    if (on_part == NormalRange::kInside && on_finger == NormalRange::kInside) return true;
    const bool part_first = excess(p, u, on_part) >= excess(f, contact_.normal, on_finger);
    for (const bool of_part : {part_first, !part_first}) {
      const NormalRange range = of_part ? on_part : on_finger;
      if (of_part ? hand_over_part(p, f, range) : hand_over_finger(p, f, range)) return false;
    }
    if (ends(p, on_part)) part = {part_point(end_point(p, on_part)), 0.0};
    if (ends(f, on_finger)) finger = {finger_point(end_point(f, on_finger)), 0.0};
    contact_ = between_circles(part, finger);
    open_beyond_part(p, on_part);
    open_beyond_finger(f, on_finger);
    return true;
  }

  /// How far a direction lies outside of the range: 1 - the cosine to its nearest normal.
  static double excess(const ContactElement& element, const Vec2& u, NormalRange range) {
    if (range == NormalRange::kInside) return 0.0;
    return 1.0 - u.dot(range == NormalRange::kBelow ? element.normal_lo : element.normal_hi);
  }

  const PlacedElements& part_;
  const FingerElements& finger_;
  ElementPair& pair_;
  bool walks_;
  ClosestPoints contact_;
};

/// True when a point projects onto a segment, or beyond an end without a neighbour to meet as far
/// as the segment reaches.
template <typename Meets>
bool foot_is_on(const ContactElement& segment, double along_mm, const Meets& meets) {
  const NormalRange end = foot_of(segment, along_mm);
  if (end == NormalRange::kInside) return true;
  const double over_mm = end == NormalRange::kBelow ? -along_mm : along_mm - segment.length_mm;
  return over_mm <= beyond_mm(segment, end) && !meets(neighbour(segment, end));
}

/// The same for a direction among an element's normals.
template <typename Meets>
bool is_in_range(const ContactElement& element, const Vec2& u, double slack, const Meets& meets) {
  const NormalRange end = range_of(element, u, slack);
  if (end == NormalRange::kInside) return true;
  const double reach_mm = beyond_mm(element, end);
  if (reach_mm == 0.0 || element.kind == Kind::kSegment) return false;
  const Vec2& last = end == NormalRange::kBelow ? element.normal_lo : element.normal_hi;
  return element.radius_mm * (u - last).norm() <= reach_mm && !meets(neighbour(element, end));
}

}  // namespace

bool can_touch(const ContactElement& part, const ContactElement& finger) {
  if (part.kind == Kind::kRound && finger.kind == Kind::kRound) return true;
  if (part.kind == Kind::kHollow) {
    return finger.kind == Kind::kRound && finger.radius_mm < part.radius_mm;
  }
  if (finger.kind == Kind::kHollow) {
    return part.kind == Kind::kRound && part.radius_mm < finger.radius_mm && !finger.is_copy;
  }
  return part.kind != finger.kind;
}

ClosestPoints follow_elements(const PlacedElements& part, const FingerElements& finger,
                              ElementPair& pair) {
  return Follower(part, finger, pair, true).follow();
}

ClosestPoints closest_on_elements(const PlacedElements& part, const FingerElements& finger,
                                  const ElementPair& pair) {
  ElementPair same = pair;
  return Follower(part, finger, same, false).follow();
}

bool faces(const PlacedElements& part, const FingerElements& finger, const ElementPair& pair,
           double slack) {
  const ContactElement& p = at(part.elements, pair.part);
  const ContactElement& f = at(finger.elements, pair.finger);
  if (!can_touch(p, f)) return false;
  const auto part_meets = [&](int i) { return i >= 0 && can_touch(at(part.elements, i), f); };
  const auto finger_meets = [&](int i) { return i >= 0 && can_touch(p, at(finger.elements, i)); };
  const Vec2 c_p = part.p_GB_mm + part.R_GB * p.point_mm;
  const Vec2 c_f = finger.p_GF_mm + f.point_mm;
  if (f.kind == Kind::kSegment) {
    return foot_is_on(f, f.tangent.dot(c_p - c_f), finger_meets) &&
           is_in_range(p, part.R_GB.inverse_times(-f.normal_lo), slack, part_meets);
  }
  if (p.kind == Kind::kSegment) {
    const Vec2 t = part.R_GB * p.tangent;
    return foot_is_on(p, t.dot(c_f - c_p), part_meets) &&
           is_in_range(f, part.R_GB * Vec2(-p.normal_lo), slack, finger_meets);
  }
  const Vec2 n = between_circles(circle_of(p, c_p), circle_of(f, c_f)).normal;
  return is_in_range(p, part.R_GB.inverse_times(-n), slack, part_meets) &&
         is_in_range(f, n, slack, finger_meets);
}

ContactMotion element_motion(const ClosestPoints& contact, const Vec2& p_GB_mm) {
  const Vec2& n = contact.normal;
  const Vec2 t = perp(n);
  ContactMotion motion = rigid_contact_motion(contact, p_GB_mm);
  if (std::isinf(contact.jaw_radius_mm)) {
    motion.slide[2] = -contact.piece_radius_mm;
    return motion;
  }
  // How the finger's centre of curvature moves along -t, seen from the body.
  const Vec2 r = contact.on_jaw_mm - contact.jaw_radius_mm * n - p_GB_mm;
  const Eigen::RowVector4d passing(t.x(), t.y(), cross(r, t), -t.x());
  motion.turn[2] = 1.0;
  if (std::isinf(contact.piece_radius_mm)) {
    motion.slide = passing;
    return motion;
  }
  double distance = contact.psi_mm + contact.piece_radius_mm + contact.jaw_radius_mm;
  if (std::abs(distance) < tolerances::kLeastCentreDistanceMm) {
    distance = std::copysign(tolerances::kLeastCentreDistanceMm, distance);
  }
  motion.turn += passing / distance;
  motion.slide = contact.piece_radius_mm / distance * passing;
  return motion;
}

}  // namespace graspmap
