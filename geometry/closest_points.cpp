#include "geometry/closest_points.hpp"

#include <optional>

#include "geometry/tolerances.hpp"

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
  if (beside_inside && (!beside_top || -above_top >= center.y())) return JawFeature::kInsideEdge;
  return JawFeature::kTopEdge;
}

ClosestPoints closest_points_of_disc(const Superellipse& disc, const Vec2& p_GA,
                                     const Rotation2& R_GA, JawSide side, double fingertip_x_mm) {
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

ContactMotion rigid_contact_motion(const ClosestPoints& closest, const Vec2& p_GB_mm) {
  const Vec2& n = closest.normal;
  ContactMotion motion;
  motion.arm_mm = closest.on_piece_mm - p_GB_mm;
  motion.gap << n.x(), n.y(), cross(motion.arm_mm, n), -n.x();
  return motion;
}

ContactMotion contact_motion(const ClosestPoints& closest, const Vec2& p_GB_mm) {
  const double kappa = closest.boundary.curvature_per_mm;
  ContactMotion motion = rigid_contact_motion(closest, p_GB_mm);
  if (closest.feature == JawFeature::kVertex) {
    // The point slides by ds = (w . tau) / (1 + kappa psi), where w is the vertex's motion seen
    // from the body.
    const Vec2 t = perp(closest.normal);
    const double r = closest.jaw_radius_mm;
    const Vec2 r_vertex = closest.on_jaw_mm - r * closest.normal - p_GB_mm;
    motion.slide << t.x(), t.y(), cross(r_vertex, t), -t.x();
    motion.slide *= 1.0 / (1.0 + kappa * (closest.psi_mm + r));
    motion.turn = kappa * motion.slide;
    motion.turn[2] += 1.0;
  } else {
    motion.slide[2] = -1.0 / kappa;  // back by rho dtheta, so that the normal keeps its direction
  }
  return motion;
}

}  // namespace graspmap
