#include "sim/closing/contact_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

using Kind = ContactElement::Kind;

/// A superellipse in G.
struct PlacedPiece {
  const Superellipse& shape;
  Vec2 p_GA;
  Rotation2 R_GA;

  PlacedPiece(const BodyPiece& piece, const Configuration& q)
      : shape(piece.shape),
        p_GA(q.part_pose.head<2>() + q.R_GB * piece.p_BA_mm),
        R_GA(q.R_GB * piece.R_BA) {}

  [[nodiscard]] Vec2 point(const BoundaryPoint& b) const { return p_GA + R_GA * b.position_mm; }
  [[nodiscard]] Vec2 to_A(const Vec2& x_G) const { return R_GA.inverse_times(x_G - p_GA); }
};

ClosestPoints on_edge(const PlacedPiece& piece, const BoundaryPoint& boundary, const Vec2& n,
                      const Vec2& begin) {
  ClosestPoints closest;
  closest.boundary = boundary;
  closest.feature = JawFeature::kInsideEdge;
  closest.normal = n;
  closest.on_piece_mm = piece.point(boundary);
  closest.psi_mm = n.dot(closest.on_piece_mm - begin);
  closest.on_jaw_mm = closest.on_piece_mm - closest.psi_mm * n;
  return closest;
}

ClosestPoints at_circle(const PlacedPiece& piece, const BoundaryPoint& boundary, const Vec2& center,
                        double radius) {
  ClosestPoints closest;
  closest.boundary = boundary;
  closest.feature = JawFeature::kVertex;
  closest.normal = -(piece.R_GA * boundary.normal);
  closest.on_piece_mm = piece.point(boundary);
  closest.jaw_radius_mm = radius;
  closest.on_jaw_mm = center + radius * closest.normal;
  closest.psi_mm = closest.normal.dot(closest.on_piece_mm - center) - radius;
  return closest;
}

ClosestPoints at_round(const PlacedPiece& piece, const Vec2& center, double radius,
                       const Vec2& guess) {
  return at_circle(piece, closest_boundary_point(piece.shape, piece.to_A(center), guess), center,
                   radius);
}

/// The boundary point furthest from x, near the one in direction u: each iterate is the support
/// point in the direction from x to the last one, which is further from x.
BoundaryPoint furthest_boundary_point(const Superellipse& shape, const Vec2& x, Vec2 u) {
  BoundaryPoint point = support_boundary_point(shape, u);
  for (int k = 0; k < tolerances::kMostIterations; ++k) {
    const Vec2 next = point.position_mm - x;
    if (std::abs(cross(next, point.normal)) <= tolerances::kShapeRounding) break;
    u = next;
    point = support_boundary_point(shape, u);
  }
  return point;
}

Vec2 middle_normal(const ContactElement& f) {
  const Vec2 sum = f.normal_lo + f.normal_hi;
  const double length = sum.norm();
  return length > 0.0 ? Vec2(sum / length) : perp(f.normal_lo);
}

/// True when a superellipse may touch a hollow at both ends of a side, which is flatter.
bool may_touch_twice(const Superellipse& shape, const ContactElement& hollow) {
  if (shape.exponent > 2.0) return true;
  const auto [least, most] = std::minmax(shape.a_mm, shape.b_mm);
  return most * most > least * hollow.radius_mm;
}

/// True for a place that the copy of a hollow takes.
bool is_of_copy(const BoundaryPoint& place) {
  return place.position_mm.x() * place.position_mm.y() < 0.0;
}

/// Where a superellipse touches a hollow with centre x, in its own axes: the boundary point
/// furthest from x about direction u, and at the other end of the side that faces the hollow a
/// second one, if there is one. `copy`: which of them is looked for; without a second the first.
BoundaryPoint touched_place(const Superellipse& shape, const Vec2& x, const Vec2& u, bool copy) {
  const BoundaryPoint first = furthest_boundary_point(shape, x, u);
  if (is_of_copy(first) == copy) return first;
  BoundaryPoint touched = first;
  double facing = 0.0;
  for (const Vec2& mirror : {Vec2(-1.0, 1.0), Vec2(1.0, -1.0)}) {
    const Vec2 across = first.position_mm.cwiseProduct(mirror);
    const BoundaryPoint second = furthest_boundary_point(shape, x, across - x);
    if (is_of_copy(second) != copy || second.normal.dot(first.normal) <= facing) continue;
    facing = second.normal.dot(first.normal);
    touched = second;
  }
  return touched;
}

/// `direction`: of a boundary point near the contact, or zero.
ClosestPoints in_hollow(const PlacedPiece& piece, const Vec2& center, const ContactElement& f,
                        const Vec2& direction) {
  const Superellipse& shape = piece.shape;
  const Vec2 x = piece.to_A(center);
  const bool twice = may_touch_twice(shape, f);
  BoundaryPoint place;
  if (twice && direction != Vec2::Zero()) {
    place = furthest_boundary_point(shape, x, boundary_point(shape, direction).position_mm - x);
  } else {
    const Vec2 u = piece.R_GA.inverse_times(-middle_normal(f));
    place = twice ? touched_place(shape, x, u, f.is_copy) : furthest_boundary_point(shape, x, u);
  }
  return at_circle(piece, place, center, -f.radius_mm);
}

/// The element that takes a place: of a hollow, itself or its copy.
int element_of(const Finger& finger, int element, const Superellipse& shape,
               const BoundaryPoint& place) {
  const ContactElement& f = finger.elements[index(element)];
  if (f.kind != Kind::kHollow) return element;
  const bool copy = may_touch_twice(shape, f) && is_of_copy(place);
  return copy == f.is_copy ? element : f.copy;
}

double misaligned(const PlacedPiece& piece, const ClosestPoints& closest) {
  return std::abs(cross(-closest.normal, piece.R_GA * closest.boundary.normal));
}

/// The closest points with an element as if it had no ends.
ClosestPoints with_element(const PlacedPiece& piece, const ContactElement& f, const Vec2& p_GF,
                           const ContactPoint& point, bool tracks) {
  const Vec2 at = p_GF + f.point_mm;
  if (f.kind == Kind::kHollow) return in_hollow(piece, at, f, point.direction);
  if (f.kind == Kind::kRound) return at_round(piece, at, f.radius_mm, point.direction);
  if (tracks) {
    const ClosestPoints tracked =
        on_edge(piece, boundary_point(piece.shape, point.direction), f.normal_lo, at);
    if (misaligned(piece, tracked) < tolerances::kFlush) return tracked;
  }
  const Vec2 u = piece.R_GA.inverse_times(-f.normal_lo);
  return on_edge(piece, support_boundary_point(piece.shape, u), f.normal_lo, at);
}

/// Beyond which end of the element its closest points lie.
NormalRange beyond(const ContactElement& f, const Vec2& p_GF, const ClosestPoints& closest,
                   double slack) {
  if (f.kind != Kind::kSegment) return range_of(f, closest.normal, slack);
  return foot_of(f, (closest.on_piece_mm - p_GF - f.point_mm).dot(f.tangent));
}

/// How far the closest points are beyond an element's end.
double over_mm(const ContactElement& f, const Vec2& p_GF, const ClosestPoints& closest,
               NormalRange end) {
  return (closest.on_jaw_mm - p_GF - end_point(f, end)).norm();
}

/// How far an element reaches beyond a reflex corner; 0 where a neighbour takes over.
double reach_mm(const ContactElement& f, NormalRange end) {
  return neighbour(f, end) >= 0 ? 0.0 : beyond_mm(f, end);
}

/// The contact of a superellipse with an element of a finger of outlines in configuration q,
/// continued from `point`, which is updated: on a segment the point of the piece that is furthest
/// out, or the tracked one; at a corner or an arc the boundary point closest to its centre; in a
/// hollow the one furthest from it. Where that lies beyond the element, its neighbour takes over;
/// at a reflex corner the element continues.
ClosestPoints follow_on_finger(const BodyPiece& body_piece, const Configuration& q,
                               const Finger& finger, JawSide side, ContactPoint& point,
                               bool carries) {
  const PlacedPiece piece(body_piece, q);
  const Vec2 p_GF(q.jaw_mm(side), 0.0);
  ClosestPoints closest;
  for (int k = 0; k < tolerances::kMostHandOvers; ++k) {
    const ContactElement& f = finger.elements[index(point.finger)];
    const bool tracks = carries && k < tolerances::kMostTracks && body_piece.shape.exponent > 2.0 &&
                        point.direction != Vec2::Zero();
    closest = with_element(piece, f, p_GF, point, tracks);
    point.finger = element_of(finger, point.finger, body_piece.shape, closest.boundary);
    const NormalRange end = beyond(f, p_GF, closest, tolerances::kShapeRounding);
    if (end == NormalRange::kInside) break;
    const int next = neighbour(f, end);
    if (next < 0) {  // at a reflex corner an element continues, and then opens
      closest.psi_mm += std::max(0.0, over_mm(f, p_GF, closest, end) - reach_mm(f, end));
      break;
    }
    point.finger = next;
    point.direction = closest.boundary.direction;
  }
  point.feature = closest.feature;
  point.direction = closest.boundary.direction;
  return closest;
}

/// True when the closest points of the piece and an element lie within the element, and the normal
/// within its range, or outside it by `slack` (a sine) at most.
bool faces_finger(const BodyPiece& body_piece, const Configuration& q, const Finger& finger,
                  JawSide side, int element, double slack) {
  const PlacedPiece piece(body_piece, q);
  const Vec2 p_GF(q.jaw_mm(side), 0.0);
  const ContactElement& f = finger.elements[index(element)];
  const ClosestPoints closest = with_element(piece, f, p_GF, {}, false);
  if (element_of(finger, element, body_piece.shape, closest.boundary) != element) return false;
  const NormalRange end = beyond(f, p_GF, closest, slack);
  if (end == NormalRange::kInside) return true;
  return over_mm(f, p_GF, closest, end) <= reach_mm(f, end);
}

const Finger& finger_at(const ContactBodies& bodies, JawSide side) {
  return bodies.fingers.by_side[side_index(side)];
}

/// What has been found in T, in G.
ClosestPoints in_gripper(ClosestPoints closest, const Pose2& X_TG) {
  closest.normal = Rotation2(X_TG.angle_rad).inverse_times(closest.normal);
  closest.on_piece_mm = inverse_transform(X_TG, closest.on_piece_mm);
  closest.on_jaw_mm = inverse_transform(X_TG, closest.on_jaw_mm);
  return closest;
}

FingerElements finger_elements_at(const ContactBodies& bodies, const Configuration& q,
                                  JawSide side) {
  return {finger_at(bodies, side).elements, {q.jaw_mm(side), 0.0}};
}

/// The arcs that an element of an outline at X_BA joins.
void add_joined_arcs(const OutlinePiece& outline, const ContactElement& element, const Pose2& X_BA,
                     int piece, int first, std::vector<JoinedArc>& joined) {
  if (element.joined == 1) return;
  const std::vector<OutlineCurve> chain =
      outline_curves(placed(Outline{outline.outline.outer, {}}, X_BA).outer);
  for (int k = 0; k < element.joined; ++k) {
    const std::size_t at = index(element.feature + k) % chain.size();
    joined.push_back({piece, first + static_cast<int>(at), chain[at]});
  }
}

}  // namespace

void add_outline_pieces(const Part& part, const Vec2& center_of_mass_P_mm, ContactBodies& bodies) {
  bodies.elements.assign(bodies.pieces.size(), {});
  bodies.joined.clear();
  for (std::size_t k = 0; k < part.outlines.size(); ++k) {
    const OutlinePiece& outline = part.outlines[k];
    const Pose2 X_BA{outline.pose.position_mm - center_of_mass_P_mm, outline.pose.angle_rad};
    const int first = static_cast<int>(bodies.pieces.size());
    for (const ContactElement& element : contact_elements(outline.outline)) {
      add_joined_arcs(outline, element, X_BA, static_cast<int>(bodies.pieces.size()),
                      first_feature(part, k), bodies.joined);
      bodies.elements.push_back(placed(element, X_BA, first, first_feature(part, k)));
      const BoundingCircle circle = bounding_circle(bodies.elements.back());
      BodyPiece piece;
      piece.p_BA_mm = circle.center_mm;
      piece.bounding_radius_mm = circle.radius_mm;
      piece.is_element = true;
      piece.feature = bodies.elements.back().feature;
      piece.friction_factor = outline.friction_factor;
      bodies.pieces.push_back(piece);
    }
  }
}

int feature_at(const ContactBodies& bodies, int piece, const Vec2& x_B_mm) {
  int feature = bodies.pieces[index(piece)].feature;
  double nearest = std::numeric_limits<double>::infinity();
  for (const JoinedArc& arc : bodies.joined) {
    if (arc.piece != piece) continue;
    const double distance = distance_mm(arc.curve_B, x_B_mm);
    if (distance >= nearest) continue;
    nearest = distance;
    feature = arc.feature;
  }
  return feature;
}

int feature_at(const ContactBodies& bodies, int piece, const ClosestPoints& closest,
               const Configuration& q) {
  const Vec2 p_GB = q.part_pose.head<2>();
  return feature_at(bodies, piece, q.R_GB.inverse_times(closest.on_piece_mm - p_GB));
}

int ContactBodies::finger_elements() const {
  if (plain) return 1;
  std::size_t most = 0;
  for (const Finger& finger : fingers.by_side) most = std::max(most, finger.elements.size());
  return static_cast<int>(most);
}

/// To the rectangle that holds the finger.
double circle_gap_mm(const ContactBodies& bodies, const Vec2& center_B_mm, double radius_mm,
                     const Configuration& q, JawSide side) {
  if (bodies.fingers.quarter_planes) return circle_gap_mm(center_B_mm, radius_mm, q, side);
  const Finger& finger = finger_at(bodies, side);
  const Vec2 c = in_frame_of(side, q, center_B_mm);
  const Vec2 outside = (finger.low_mm - c).cwiseMax(c - finger.high_mm);
  const double distance =
      outside.maxCoeff() > 0.0 ? outside.cwiseMax(0.0).norm() : outside.maxCoeff();
  return distance - radius_mm;
}

double circle_gap_mm(const ContactBodies& bodies, const Vec2& center_B_mm, double radius_mm,
                     const Configuration& q) {
  if (bodies.fingers.quarter_planes) return circle_gap_mm(center_B_mm, radius_mm, q);
  double gap = std::numeric_limits<double>::infinity();
  for (const JawSide side : kJawSides) {
    if (side_index(side) >= index(bodies.fingers.sides)) break;
    gap = std::min(gap, circle_gap_mm(bodies, center_B_mm, radius_mm, q, side));
  }
  return gap;
}

ClosestPoints follow_contact(const ContactBodies& bodies, const Configuration& q, JawSide side,
                             ContactPoint& point, bool carries) {
  if (is_moved(side, q)) [[unlikely]] {
    return in_gripper(follow_contact(bodies, on_table(q), side, point, carries), q.gripper);
  }
  const BodyPiece& piece = bodies.pieces[index(point.piece)];
  if (!piece.is_element) {
    if (!bodies.fingers.quarter_planes) {
      return follow_on_finger(piece, q, finger_at(bodies, side), side, point, carries);
    }
    if (carries) return follow_contact(piece, q, side, point);
    const ClosestPoints closest = closest_points(piece, q, side, point);
    point.feature = closest.feature;
    point.direction = closest.boundary.direction;
    return closest;
  }
  ElementPair pair{point.piece, point.finger};
  const Vec2 p_GB = q.part_pose.head<2>();
  ClosestPoints closest =
      follow_elements({bodies.elements, p_GB, q.R_GB}, finger_elements_at(bodies, q, side), pair);
  point.piece = pair.part;
  point.finger = pair.finger;
  point.feature = closest.feature;
  return closest;
}

ClosestPoints stay_at_contact(const ContactBodies& bodies, const Configuration& q, JawSide side,
                              const ContactPoint& point) {
  if (is_moved(side, q)) [[unlikely]] {
    return in_gripper(stay_at_contact(bodies, on_table(q), side, point), q.gripper);
  }
  const Vec2 p_GB = q.part_pose.head<2>();
  return closest_on_elements({bodies.elements, p_GB, q.R_GB}, finger_elements_at(bodies, q, side),
                             {point.piece, point.finger});
}

ClosestPoints closest_points(const ContactBodies& bodies, const Pair& pair,
                             const Configuration& q) {
  if (bodies.meets_whole(pair.piece)) {
    return closest_points(bodies.pieces[index(pair.piece)], q, pair.side);
  }
  ContactPoint point = first_point(pair);
  return follow_contact(bodies, q, pair.side, point, false);
}

[[gnu::cold]] double exact_gap_mm(const ContactBodies& bodies, const Pair& pair,
                                  const Configuration& q) {
  return bodies.meets_whole(pair.piece)
             ? true_gap_mm(bodies.pieces[index(pair.piece)], q, pair.side)
             : closest_points(bodies, pair, q).psi_mm;
}

[[gnu::cold, gnu::noinline]] static bool faces_on_table(const ContactBodies& bodies,
                                                        const Pair& pair, const Configuration& q,
                                                        double slack) {
  return faces(bodies, pair, on_table(q), slack);
}

bool faces(const ContactBodies& bodies, const Pair& pair, const Configuration& q, double slack) {
  if (is_moved(pair.side, q)) [[unlikely]] {
    return faces_on_table(bodies, pair, q, slack);
  }
  const BodyPiece& piece = bodies.pieces[index(pair.piece)];
  if (!piece.is_element) {
    return faces_finger(piece, q, finger_at(bodies, pair.side), pair.side, pair.finger, slack);
  }
  const Vec2 p_GB = q.part_pose.head<2>();
  return faces({bodies.elements, p_GB, q.R_GB}, finger_elements_at(bodies, q, pair.side),
               {pair.piece, pair.finger}, slack);
}

namespace {

/// What two segments, of the part and of a finger, share that face each other and are nearer than
/// gap_mm at both of its ends; nothing of others.
std::optional<FlushStretch> flush(const ContactElement& p, const ContactElement& f,
                                  const Configuration& q, const Vec2& p_GF, double gap_mm,
                                  double deflection_mm) {
  if (f.normal_lo.dot(q.R_GB * p.normal_lo) >= 0.0) return std::nullopt;
  const Vec2 p_GB = q.part_pose.head<2>();
  const Vec2 from = p_GB + q.R_GB * p.lo_mm - p_GF - f.point_mm;
  const Vec2 to = p_GB + q.R_GB * p.hi_mm - p_GF - f.point_mm;
  const double a = from.dot(f.tangent);
  const double b = to.dot(f.tangent);
  const double begin = std::max(std::min(a, b), 0.0);
  const double end = std::min(std::max(a, b), f.length_mm);
  // Sides that meet at their ends only, as a corner in the bottom of a V has them, do not lie
  // flush.
  const bool parallel = std::abs(cross(to - from, f.tangent)) <= tolerances::kFlush * p.length_mm;
  if (!parallel || end - begin <= gap_mm) return std::nullopt;
  const auto is_near = [&](double along) {
    const double s = (along - a) / (b - a);
    const double gap = f.normal_lo.dot(from + s * (to - from));
    return gap < gap_mm && gap > -gap_mm - deflection_mm;
  };
  if (!is_near(begin) || !is_near(end)) return std::nullopt;
  return FlushStretch{begin, end};
}

}  // namespace

void visit_flush_edges(const ContactBodies& bodies, const Configuration& q, JawSide side,
                       double gap_mm, double deflection_mm,
                       const std::function<void(const Pair&, const FlushStretch&)>& visit) {
  if (is_moved(side, q)) {
    return visit_flush_edges(bodies, on_table(q), side, gap_mm, deflection_mm, visit);
  }
  const Vec2 p_GF(q.jaw_mm(side), 0.0);
  const std::vector<ContactElement>& elements = finger_at(bodies, side).elements;
  for (int i = 0; i < static_cast<int>(bodies.pieces.size()); ++i) {
    const ContactElement& p = bodies.elements[index(i)];
    if (!bodies.pieces[index(i)].is_element || p.kind != Kind::kSegment) continue;
    for (int k = 0; k < static_cast<int>(elements.size()); ++k) {
      const ContactElement& f = elements[index(k)];
      if (f.kind != Kind::kSegment) continue;
      const auto stretch = flush(p, f, q, p_GF, gap_mm, deflection_mm);
      if (stretch) visit({i, side, k}, *stretch);
    }
  }
}

void drop_corners_of_touched(const Part& part, std::vector<int>& features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  for (std::size_t k = 0; k < part.outlines.size(); ++k) {
    const int n = static_cast<int>(part.outlines[k].outline.outer.size());
    const int first = first_feature(part, k);
    const auto touched = [&](int element) {
      return std::binary_search(features.begin(), features.end(), first + (element + n) % n);
    };
    const auto is_dropped = [&](int feature) {
      const int corner = feature - first - n;
      return corner >= 0 && corner < n && (touched(corner) || touched(corner - 1));
    };
    // A copy of the elements' part stays sorted while the corners are taken out.
    std::vector<int> kept;
    std::copy_if(features.begin(), features.end(), std::back_inserter(kept),
                 [&](int feature) { return !is_dropped(feature); });
    features = std::move(kept);
  }
}

}  // namespace graspmap
