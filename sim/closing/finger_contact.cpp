#include "sim/closing/finger_contact.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/index.hpp"
#include "geometry/tolerances.hpp"
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
  for (int k = 0; k < tolerances::kFurthestPointIterations; ++k) {
    const Vec2 next = point.position_mm - x;
    if (std::abs(cross(next, point.normal)) <= tolerances::kHandOver) break;
    u = next;
    point = support_boundary_point(shape, u);
  }
  return point;
}

ClosestPoints in_hollow(const PlacedPiece& piece, const Vec2& center, double radius,
                        const Vec2& middle_normal) {
  const Vec2 u = piece.R_GA.inverse_times(-middle_normal);
  return at_circle(piece, furthest_boundary_point(piece.shape, piece.to_A(center), u), center,
                   -radius);
}

Vec2 middle_normal(const ContactElement& f) {
  const Vec2 sum = f.normal_lo + f.normal_hi;
  const double length = sum.norm();
  return length > 0.0 ? Vec2(sum / length) : perp(f.normal_lo);
}

double misaligned(const PlacedPiece& piece, const ClosestPoints& closest) {
  return std::abs(cross(-closest.normal, piece.R_GA * closest.boundary.normal));
}

/// The closest points with an element as if it had no ends.
ClosestPoints with_element(const PlacedPiece& piece, const ContactElement& f, const Vec2& p_GF,
                           const ContactPoint& point, bool tracks) {
  const Vec2 at = p_GF + f.point_mm;
  if (f.kind == Kind::kHollow) return in_hollow(piece, at, f.radius_mm, middle_normal(f));
  if (f.kind == Kind::kRound) return at_round(piece, at, f.radius_mm, point.direction);
  if (tracks) {
    const ClosestPoints tracked =
        on_edge(piece, boundary_point(piece.shape, point.direction), f.normal_lo, at);
    if (misaligned(piece, tracked) < tolerances::kLostMisalignment) return tracked;
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

}  // namespace

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
    const NormalRange end = beyond(f, p_GF, closest, tolerances::kHandOver);
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

bool faces_finger(const BodyPiece& body_piece, const Configuration& q, const Finger& finger,
                  JawSide side, int element, double slack) {
  const PlacedPiece piece(body_piece, q);
  const Vec2 p_GF(q.jaw_mm(side), 0.0);
  const ContactElement& f = finger.elements[index(element)];
  const ClosestPoints closest = with_element(piece, f, p_GF, {}, false);
  const NormalRange end = beyond(f, p_GF, closest, slack);
  if (end == NormalRange::kInside) return true;
  return over_mm(f, p_GF, closest, end) <= reach_mm(f, end);
}

}  // namespace graspmap
