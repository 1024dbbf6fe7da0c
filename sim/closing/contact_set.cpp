#include "sim/closing/contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/tolerances.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

Vec2 piece_center(const BodyPiece& piece, const Configuration& q) {
  return q.part_pose.head<2>() + q.R_GB * piece.p_BA_mm;
}

Vec2 feature_normal(JawFeature feature, JawSide side) {
  return feature == JawFeature::kTopEdge ? top_normal() : inside_normal(side);
}

/// How far a point lies beyond the vertex, measured along its edge; <= 0 beside the edge.
double beyond_vertex(const Vec2& point, JawFeature feature, JawSide side, double jaw_mm) {
  return feature == JawFeature::kInsideEdge ? point.y() : mirror_sign(side) * (jaw_mm - point.x());
}

/// The contact of the piece's boundary point `point` with an edge of the jaw.
ClosestPoints point_on_edge(const BodyPiece& piece, const Configuration& q, JawSide side,
                            const ContactPoint& point) {
  const Vec2 n = feature_normal(point.feature, side);
  const BoundaryPoint boundary = boundary_point(piece.shape, point.direction);
  const Vec2 on_piece = piece_center(piece, q) + q.R_GB * (piece.R_BA * boundary.position_mm);
  const double psi = n.dot(on_piece - Vec2(q.jaw_mm(side), 0.0));
  return {psi, n, on_piece, on_piece - psi * n, point.feature, boundary};
}

/// The contact of the jaw's vertex with the closest boundary point of the piece.
ClosestPoints point_at_vertex(const BodyPiece& piece, const Configuration& q, JawSide side,
                              const Vec2& guess) {
  return closest_to_vertex(piece.shape, piece_center(piece, q), q.R_GB * piece.R_BA,
                           Vec2(q.jaw_mm(side), 0.0), guess);
}

/// The edge beyond which a vertex contact's normal has turned, or kVertex while it is in the cone.
JawFeature feature_of_normal(const Vec2& n, JawSide side) {
  if (n.y() < 0.0) return JawFeature::kInsideEdge;
  if (mirror_sign(side) * n.x() > 0.0) return JawFeature::kTopEdge;
  return JawFeature::kVertex;
}

/// The exact closest points; `point` becomes them.
ClosestPoints find_again(const BodyPiece& piece, const Configuration& q, JawSide side,
                         ContactPoint& point) {
  ClosestPoints closest = closest_points(piece, q, side, point);
  point.feature = closest.feature;
  point.direction = closest.boundary.direction;
  return closest;
}

/// A contact that its edge has lost: it continues at the vertex, or elsewhere.
ClosestPoints leave_edge(const BodyPiece& piece, const Configuration& q, JawSide side, bool aligned,
                         ContactPoint& point) {
  if (aligned) {
    const ClosestPoints vertex = point_at_vertex(piece, q, side, point.direction);
    if (feature_of_normal(vertex.normal, side) == JawFeature::kVertex) {
      point.feature = JawFeature::kVertex;
      point.direction = vertex.boundary.direction;
      return vertex;
    }
  }
  return find_again(piece, q, side, point);
}

ClosestPoints follow_on_edge(const BodyPiece& piece, const Configuration& q, JawSide side,
                             ContactPoint& point) {
  ClosestPoints closest = point_on_edge(piece, q, side, point);
  const bool on_edge =
      beyond_vertex(closest.on_piece_mm, point.feature, side, q.jaw_mm(side)) <= 0.0;
  const bool aligned = std::abs(misalignment(piece, q, closest)) < tolerances::kFlush;
  if (!on_edge || !aligned) closest = leave_edge(piece, q, side, aligned, point);
  return closest;
}

ClosestPoints follow_at_vertex(const BodyPiece& piece, const Configuration& q, JawSide side,
                               ContactPoint& point) {
  ClosestPoints closest = point_at_vertex(piece, q, side, point.direction);
  const JawFeature feature = feature_of_normal(closest.normal, side);
  point.direction = closest.boundary.direction;
  if (feature != JawFeature::kVertex) {
    point.feature = feature;  // the normal has turned onto an edge: track it there
    closest = follow_on_edge(piece, q, side, point);
  }
  return closest;
}

}  // namespace

[[gnu::cold]] double motion_on_table_mm(const Vec3& from_pose, const Pose2& from_gripper,
                                        const Vec3& to_pose, const Pose2& to_gripper,
                                        double reach_mm) {
  const Vec3 moved = pose_on_table(to_pose, to_gripper) - pose_on_table(from_pose, from_gripper);
  return moved.head<2>().norm() + std::abs(moved[2]) * reach_mm;
}

BodyPiece make_body_piece(const Piece& piece, const Vec2& center_of_mass_P_mm) {
  BodyPiece body_piece;
  body_piece.shape = piece.shape;
  body_piece.p_BA_mm = piece.pose.position_mm - center_of_mass_P_mm;
  body_piece.R_BA = Rotation2(piece.pose.angle_rad);
  body_piece.bounding_radius_mm = piece.shape.bounding_radius_mm();
  body_piece.friction_factor = piece.friction_factor;
  return body_piece;
}

void make_body_pieces(const Part& part, const Vec2& center_of_mass_P_mm,
                      std::vector<BodyPiece>& pieces) {
  pieces.clear();
  for (const Piece& piece : part.pieces) {
    pieces.push_back(make_body_piece(piece, center_of_mass_P_mm));
    pieces.back().feature = static_cast<int>(pieces.size()) - 1;
  }
}

ClosestPoints closest_points(const BodyPiece& piece, const Configuration& q, JawSide side) {
  return closest_points(piece.shape, piece_center(piece, q), q.R_GB * piece.R_BA, side,
                        q.jaw_mm(side));
}

[[gnu::cold]] double true_gap_mm(const BodyPiece& piece, const Configuration& q, JawSide side) {
  return true_gap_mm(piece.shape, piece_center(piece, q), q.R_GB * piece.R_BA, side,
                     q.jaw_mm(side));
}

double edge_gap_mm(const BodyPiece& piece, const Configuration& q, JawSide side, JawFeature edge) {
  const Vec2 n = feature_normal(edge, side);
  const Rotation2 R_GA = q.R_GB * piece.R_BA;
  const Vec2 on_piece =
      piece_center(piece, q) + R_GA * support_point(piece.shape, R_GA.inverse_times(-n));
  return n.dot(on_piece - Vec2(q.jaw_mm(side), 0.0));
}

bool is_behind(const ClosestPoints& closest, JawSide side) {
  if (closest.feature != JawFeature::kVertex) return false;
  return closest.normal.y() < -tolerances::kRounding ||
         closest.normal.x() * mirror_sign(side) > tolerances::kRounding;
}

ClosestPoints closest_points(const BodyPiece& piece, const Configuration& q, JawSide side,
                             const ContactPoint& guess) {
  const bool known = guess.direction != Vec2::Zero();
  if (known && guess.feature == JawFeature::kVertex && !piece.shape.is_disc()) {
    const ClosestPoints closest = point_at_vertex(piece, q, side, guess.direction);
    if (feature_of_normal(closest.normal, side) == JawFeature::kVertex) return closest;
  }
  return closest_points(piece, q, side);
}

double circle_gap_mm(const Vec2& center_B_mm, double radius_mm, const Configuration& q) {
  return std::min(circle_gap_mm(center_B_mm, radius_mm, q, JawSide::kRight),
                  circle_gap_mm(center_B_mm, radius_mm, q, JawSide::kLeft));
}

ClosestPoints follow_contact(const BodyPiece& piece, const Configuration& q, JawSide side,
                             ContactPoint& point) {
  if (piece.shape.exponent <= 2.0) return find_again(piece, q, side, point);
  return point.feature == JawFeature::kVertex ? follow_at_vertex(piece, q, side, point)
                                              : follow_on_edge(piece, q, side, point);
}

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
  edge.length_mm = tolerances::kFarthestCoordinateMm;
  edge.tangent = tangent;
  edge.hi_mm = begin + edge.length_mm * tangent;
  edge.normal_lo = edge.normal_hi = -perp(tangent);
  return edge;
}

void find_rectangle(Finger& finger) {
  for (const ContactElement& element : finger.elements) {
    const BoundingCircle circle = bounding_circle(element);
    const Vec2 reach = Vec2::Constant(circle.radius_mm);
    finger.low_mm = finger.low_mm.cwiseMin(circle.center_mm - reach);
    finger.high_mm = finger.high_mm.cwiseMax(circle.center_mm + reach);
  }
}

/// ContactElement::copy.
void add_copies_of_hollows(Finger& finger) {
  const std::size_t count = finger.elements.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (finger.elements[k].kind != ContactElement::Kind::kHollow) continue;
    finger.elements[k].copy = static_cast<int>(finger.elements.size());
    ContactElement copy = finger.elements[k];
    copy.copy = static_cast<int>(k);
    copy.is_copy = true;
    finger.elements.push_back(copy);
    if (!finger.obstacle.empty()) finger.obstacle.push_back(finger.obstacle[k]);
  }
}

Finger outlined(const Outline& outline) {
  Finger finger;
  finger.elements = contact_elements(outline);
  find_rectangle(finger);
  add_copies_of_hollows(finger);
  return finger;
}

Finger outlined(const std::vector<Obstacle>& obstacles) {
  Finger all;
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const int first = static_cast<int>(all.elements.size());
    for (const ContactElement& element : contact_elements(obstacles[k].outline)) {
      all.elements.push_back(placed(element, {}, first, 0));
      all.obstacle.push_back(static_cast<int>(k));
    }
  }
  find_rectangle(all);
  add_copies_of_hollows(all);
  return all;
}

}  // namespace

std::vector<ContactElement> quarter_plane_elements(JawSide side) {
  // Counter-clockwise about the jaw: the right one's top edge, fingertip, inside edge; the left
  // one's inside edge, fingertip, top edge.
  constexpr double kFar = tolerances::kFarthestCoordinateMm;
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

Fingers::Fingers(const Gripper& gripper, const std::vector<Obstacle>& obstacles) {
  quarter_planes =
      !gripper.right_finger && !gripper.left_finger && !gripper.palm && obstacles.empty();
  Finger& right = by_side[side_index(JawSide::kRight)];
  Finger& left = by_side[side_index(JawSide::kLeft)];
  if (gripper.right_finger && gripper.left_finger) {
    right = outlined(*gripper.right_finger);
    left = outlined(*gripper.left_finger);
  } else {
    constexpr double kFar = tolerances::kFarthestCoordinateMm;
    right = {quarter_plane_elements(JawSide::kRight), {}, {0, -kFar}, {kFar, 0}, true};
    left = {quarter_plane_elements(JawSide::kLeft), {}, {-kFar, -kFar}, {0, 0}, true};
  }
  if (gripper.palm) {
    sides = 3;
    by_side[side_index(JawSide::kPalm)] = outlined(*gripper.palm);
  }
  if (obstacles.empty()) return;
  sides = 4;
  by_side[side_index(JawSide::kObstacle)] = outlined(obstacles);
}

bool same_fingers(const Gripper& a, const Gripper& b) {
  return same_outline(a.right_finger, b.right_finger) &&
         same_outline(a.left_finger, b.left_finger) && same_outline(a.palm, b.palm);
}

bool same_obstacles(const std::vector<Obstacle>& a, const std::vector<Obstacle>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Obstacle& o, const Obstacle& p) { return same_shape(o.outline, p.outline); });
}

bool same_shape(const Outline& a, const Outline& b) {
  return same_loop(a.outer, b.outer) &&
         std::equal(a.holes.begin(), a.holes.end(), b.holes.begin(), b.holes.end(), same_loop);
}

}  // namespace graspmap
