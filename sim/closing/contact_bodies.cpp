#include "sim/closing/contact_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/outline_boundary.hpp"
#include "sim/closing/finger_contact.hpp"

namespace graspmap {
namespace {

const Finger& finger_at(const ContactBodies& bodies, JawSide side) {
  return bodies.fingers.by_side[side_index(side)];
}

FingerElements finger_elements_at(const ContactBodies& bodies, const Configuration& q,
                                  JawSide side) {
  return {finger_at(bodies, side).elements, {q.jaw_mm(side), 0.0}};
}

}  // namespace

namespace {

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
  const Vec2 c = q.part_pose.head<2>() + q.R_GB * center_B_mm - Vec2(q.jaw_mm(side), 0.0);
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

bool faces(const ContactBodies& bodies, const Pair& pair, const Configuration& q, double slack) {
  const BodyPiece& piece = bodies.pieces[index(pair.piece)];
  if (!piece.is_element) {
    return faces_finger(piece, q, finger_at(bodies, pair.side), pair.side, pair.finger, slack);
  }
  const Vec2 p_GB = q.part_pose.head<2>();
  return faces({bodies.elements, p_GB, q.R_GB}, finger_elements_at(bodies, q, pair.side),
               {pair.piece, pair.finger}, slack);
}

}  // namespace graspmap
