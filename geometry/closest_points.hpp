#pragma once

#include <vector>

#include "geometry/contact_element.hpp"
#include "geometry/part.hpp"

namespace graspmap {

/// What can touch the part: the jaws' fingers, the palm, which is fixed in G, and obstacles, which
/// are fixed to the table.
enum class JawSide { kRight, kLeft, kPalm, kObstacle };

/// +1 for the right jaw, -1 for the left: mirrors every formula of the right jaw.
constexpr double mirror_sign(JawSide side) { return side == JawSide::kRight ? 1.0 : -1.0; }

/// The outward normal of a jaw's inside edge, in G.
inline Vec2 inside_normal(JawSide side) { return {-mirror_sign(side), 0.0}; }

/// The outward normal of a jaw's top edge, in G.
inline Vec2 top_normal() { return {0.0, 1.0}; }

/// The part of a jaw's boundary on which the closest point lies.
enum class JawFeature { kInsideEdge, kVertex, kTopEdge };

/// The closest points of a convex piece A and a jaw, all in G.
struct ClosestPoints {
  double psi_mm = 0.0;  ///< signed gap: distance when apart, minus the penetration depth when not
  Vec2 normal{0, 0};    ///< n, out of the jaw
  Vec2 on_piece_mm{0, 0};
  Vec2 on_jaw_mm{0, 0};
  JawFeature feature = JawFeature::kVertex;
  BoundaryPoint boundary;        ///< the piece's point in the piece's own axes
  double jaw_radius_mm = 0.0;    ///< of curvature of the jaw at kVertex: 0 at a corner
  double piece_radius_mm = 0.0;  ///< of an outline's element: that of the piece
};

/// psi = max over unit normals n of the jaw's normal cone of n . (c - V) - h_A(-n): the distance of
/// the closest points, eq. (9)-(14), or minus the penetration depth. Exact to rounding when apart,
/// touching, or overlapping by less than the piece's smallest radius of curvature.
/// X_GA is the pose of the piece's axes. `guess` is the direction of a boundary point near the
/// answer, or zero.
ClosestPoints closest_points(const Superellipse& piece, const Vec2& p_GA_mm, const Rotation2& R_GA,
                             JawSide side, double fingertip_x_mm, const Vec2& guess = Vec2::Zero());

/// The closest points of the piece and a vertex of the jaw, wherever the normal is.
ClosestPoints closest_to_vertex(const Superellipse& piece, const Vec2& p_GA_mm,
                                const Rotation2& R_GA, const Vec2& vertex_mm, const Vec2& guess);

/// The gap of closest_points, also where the nearest boundary point to a fingertip that is inside
/// of a thin piece lies on the wrong side of it, with a normal that the jaw does not have there:
/// then the overlap is that along the best of the jaw's normals.
double true_gap_mm(const Superellipse& piece, const Vec2& p_GA_mm, const Rotation2& R_GA,
                   JawSide side, double fingertip_x_mm);

/// How a contact moves with the configuration (x, y, theta, fingertip_x), where (x, y, theta) is
/// the pose in G of a body frame B to which the piece is fixed. Each is a row of partial
/// derivatives. With tau = -perp(n), the piece's counter-clockwise tangent, and e_theta the unit
/// row of theta:  d r = perp(r) e_theta + tau slide,  d(angle of n) = e_theta + kappa slide.
struct ContactMotion {
  Vec2 arm_mm{0, 0};  ///< r = p_BA, B's origin to the piece's point
  Eigen::RowVector4d gap = Eigen::RowVector4d::Zero();    ///< d psi: (n, r x n, -n_x)
  Eigen::RowVector4d turn = Eigen::RowVector4d::Zero();   ///< d(angle of n)
  Eigen::RowVector4d slide = Eigen::RowVector4d::Zero();  ///< of the point along the piece
};

/// That of a piece's point that is fixed to the body: it does not slide along the piece.
inline ContactMotion rigid_contact_motion(const ClosestPoints& closest, const Vec2& p_GB_mm) {
  const Vec2& n = closest.normal;
  ContactMotion motion;
  motion.arm_mm = closest.on_piece_mm - p_GB_mm;
  motion.gap = {n.x(), n.y(), cross(motion.arm_mm, n), -n.x()};
  return motion;
}

/// First order by the envelope theorem, second order by the implicit function theorem on the
/// closest point (the piece's radius of curvature rho enters as 1/(psi + rho) at the vertex and as
/// rho on an edge). On an edge contact with a flat spot of the piece rho is infinite, and so is d r
/// / d theta.
inline ContactMotion contact_motion(const ClosestPoints& closest, const Vec2& p_GB_mm) {
  const double kappa = closest.boundary.curvature_per_mm;
  ContactMotion motion = rigid_contact_motion(closest, p_GB_mm);
  if (closest.feature == JawFeature::kVertex) {
    // The point slides by ds = (w . tau) / (1 + kappa psi), where w is the vertex's motion seen
    // from the body.
    const Vec2 t = perp(closest.normal);
    const double r = closest.jaw_radius_mm;
    const Vec2 r_vertex = closest.on_jaw_mm - r * closest.normal - p_GB_mm;
    motion.slide = {t.x(), t.y(), cross(r_vertex, t), -t.x()};
    motion.slide *= 1.0 / (1.0 + kappa * (closest.psi_mm + r));
    motion.turn = kappa * motion.slide;
    motion.turn[2] += 1.0;
  } else {
    motion.slide[2] = -1.0 / kappa;  // back by rho dtheta, so that the normal keeps its direction
  }
  return motion;
}

/// The elements of a part in its own axes B, and where B is in G.
struct PlacedElements {
  const std::vector<ContactElement>& elements;
  const Vec2& p_GB_mm;
  const Rotation2& R_GB;
};

/// The elements of a finger in its own frame, whose axes are those of G, and where its origin is.
struct FingerElements {
  const std::vector<ContactElement>& elements;
  Vec2 p_GF_mm;
};

/// Which element of a part and which of a finger a contact is between.
struct ElementPair {
  int part = -1;
  int finger = -1;

  bool operator==(const ElementPair&) const = default;
};

/// True when the two elements can touch each other: not two segments, and a concave arc only a
/// convex arc of a smaller radius or a corner.
bool can_touch(const ContactElement& part, const ContactElement& finger);

/// The contact that continues `pair`, which is updated: where the closest points leave an element,
/// its neighbour takes over, with the same gap and normal at the joint. Where the neighbour cannot
/// touch the other body's element, an arc ends in a corner and a segment's line continues, as both
/// do at a reflex corner. The result has no `feature` and no `boundary`; radii of curvature are
/// signed: > 0 convex, 0 a corner, < 0 concave, infinite for a segment.
ClosestPoints follow_elements(const PlacedElements& part, const FingerElements& finger,
                              ElementPair& pair);

/// The same without neighbours: lines continue beyond their ends, arcs end in corners.
ClosestPoints closest_on_elements(const PlacedElements& part, const FingerElements& finger,
                                  const ElementPair& pair);

/// True when the closest points of the pair lie within both elements, and the normal within both
/// ranges of normals, up to `slack` (a sine): then the pair touches first in its neighbourhood.
bool faces(const PlacedElements& part, const FingerElements& finger, const ElementPair& pair,
           double slack);

/// How such a contact moves: as contact_motion, with the centres of curvature of both elements. The
/// normal turns with the direction between them.
ContactMotion element_motion(const ClosestPoints& contact, const Vec2& p_GB_mm);

}  // namespace graspmap
