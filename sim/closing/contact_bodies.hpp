#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"
#include "sim/closing/contact_set.hpp"

namespace graspmap {

/// One of the arcs of a circle that are one piece.
struct JoinedArc {
  int piece = 0;
  int feature = 0;  ///< of the part
  OutlineCurve curve_B;
};

/// A part about its centre of mass, and what can touch it. The pieces are the part's superellipses
/// and then the elements of its outlines.
struct ContactBodies {
  std::vector<BodyPiece> pieces;
  std::vector<ContactElement> elements;  ///< in B, by piece; of superellipses: not used
  std::vector<JoinedArc> joined;
  Fingers fingers;
  bool plain = true;  ///< superellipses and quarter-planes only: for with_contacts

  /// The number of elements of a finger that a pair can name.
  [[nodiscard]] int finger_elements() const;
  /// True when a superellipse meets what is at a side as one convex shape, a quarter-plane.
  [[nodiscard]] bool meets_whole(int piece) const {
    return fingers.quarter_planes && !pieces[index(piece)].is_element;
  }
};

/// A pair of a part's piece and an element of what is at a side, in the order of
/// Finger::elements; 0 for a quarter-plane as a whole, which superellipses meet.
struct Pair {
  int piece = 0;
  JawSide side = JawSide::kRight;
  int finger = 0;

  bool operator==(const Pair&) const = default;
};

/// The obstacle that a pair's finger element belongs to.
inline int obstacle_of(const Fingers& fingers, const Pair& pair) {
  return fingers.by_side[side_index(pair.side)].obstacle[index(pair.finger)];
}

/// Adds the elements of a part's outlines about its centre of mass to pieces that are its
/// superellipses; sets `elements`.
void add_outline_pieces(const Part& part, const Vec2& center_of_mass_P_mm, ContactBodies& bodies);

/// The part's feature that a piece has at a point of its boundary, in B.
int feature_at(const ContactBodies& bodies, int piece, const Vec2& x_B_mm);

/// The same where a contact is.
int feature_at(const ContactBodies& bodies, int piece, const ClosestPoints& closest,
               const Configuration& q);

/// The configuration in T: to the part there obstacles are as what is fixed in G is to it in G.
inline Configuration on_table(const Configuration& q) {
  return {pose_on_table(q.part_pose, q.gripper), 0.0, 0.0};
}

/// True when what is at a side is fixed in a frame that has moved or turned against G.
inline bool is_moved(JawSide side, const Configuration& q) {
  return side == JawSide::kObstacle && q.gripper != Pose2{};
}

/// A point fixed to the part in the frame of what is at a side.
[[gnu::always_inline]] inline Vec2 in_frame_of(JawSide side, const Configuration& q,
                                               const Vec2& x_B_mm) {
  const Vec2 x_G = q.part_pose.head<2>() + q.R_GB * x_B_mm;
  if (is_moved(side, q)) [[unlikely]] {
    return transform(q.gripper, x_G);
  }
  return x_G - Vec2(q.jaw_mm(side), 0.0);
}

/// A lower bound of the gap of a circle fixed to the part to what is at a side, mm: cheap.
double circle_gap_mm(const ContactBodies& bodies, const Vec2& center_B_mm, double radius_mm,
                     const Configuration& q, JawSide side);

/// The same to the nearest side.
double circle_gap_mm(const ContactBodies& bodies, const Vec2& center_B_mm, double radius_mm,
                     const Configuration& q);

/// Where a pair's contact is before it has been followed.
inline ContactPoint first_point(const Pair& pair) {
  ContactPoint point;
  point.piece = pair.piece;
  point.finger = pair.finger;
  return point;
}

/// The contact in configuration q, continued from `point`, which is updated: the closest points
/// walk along both bodies. `carries`: it carries an impulse, so a tracked point keeps its place.
ClosestPoints follow_contact(const ContactBodies& bodies, const Configuration& q, JawSide side,
                             ContactPoint& point, bool carries);

/// The contact of a pair of outlines' elements as if they had no neighbours.
ClosestPoints stay_at_contact(const ContactBodies& bodies, const Configuration& q, JawSide side,
                              const ContactPoint& point);

/// The closest points of a pair in configuration q, or of those that they have walked to.
ClosestPoints closest_points(const ContactBodies& bodies, const Pair& pair, const Configuration& q);

/// The gap of a pair in configuration q, mm, also where its closest points lie behind the piece.
double exact_gap_mm(const ContactBodies& bodies, const Pair& pair, const Configuration& q);

/// True when the closest points of the pair lie within both of its elements, and the normal within
/// their ranges, or outside them by `slack` (a sine) at most.
bool faces(const ContactBodies& bodies, const Pair& pair, const Configuration& q, double slack);

/// False when a circle about a piece, in a finger's frame, shows that the contact with one of the
/// finger's elements has no gap between `least_mm` and `most_mm`: cheap.
inline bool may_be_within(const Vec2& center_F_mm, double radius_mm, const ContactElement& f,
                          double least_mm, double most_mm) {
  const Vec2 w = center_F_mm - f.point_mm;
  if (f.kind == ContactElement::Kind::kSegment) {
    const double distance = f.normal_lo.dot(w);
    return distance - radius_mm <= most_mm && distance + radius_mm >= least_mm;
  }
  const double most = most_mm + f.radius_mm + radius_mm;
  return f.kind == ContactElement::Kind::kHollow || w.squaredNorm() <= most * most;
}

/// Calls visit(pair, closest) for each contact of a piece with what is at a side with a gap between
/// `least_mm` and `most_mm`: each place where the two are closest to each other among what is near,
/// or nearly so by `slack` (a sine).
template <typename Visit>
void visit_contacts(const ContactBodies& bodies, int piece, JawSide side, const Configuration& q,
                    double least_mm, double most_mm, double slack, const Visit& visit) {
  const auto within = [&](double psi_mm) { return psi_mm >= least_mm && psi_mm <= most_mm; };
  if (bodies.meets_whole(piece)) {
    const Pair pair{piece, side};
    const ClosestPoints closest = closest_points(bodies.pieces[index(piece)], q, side);
    if (within(closest.psi_mm)) visit(pair, closest);
    return;
  }
  const std::vector<ContactElement>& elements = bodies.fingers.by_side[side_index(side)].elements;
  const BodyPiece& body_piece = bodies.pieces[index(piece)];
  const double radius = body_piece.bounding_radius_mm + tolerances::kRounding;
  const Vec2 center = in_frame_of(side, q, body_piece.p_BA_mm);
  for (int finger = 0; finger < static_cast<int>(elements.size()); ++finger) {
    if (!may_be_within(center, radius, elements[index(finger)], least_mm, most_mm)) continue;
    const Pair pair{piece, side, finger};
    if (!faces(bodies, pair, q, slack)) continue;
    ContactPoint point = first_point(pair);
    const ClosestPoints closest = follow_contact(bodies, q, side, point, false);
    if (within(closest.psi_mm)) visit(Pair{point.piece, side, point.finger}, closest);
  }
}

/// What two sides that lie flush share, along the finger's from its begin.
struct FlushStretch {
  double from_mm = 0.0;
  double to_mm = 0.0;
};

/// Calls visit(pair, stretch) for each straight edge of the part that lies flush on a straight edge
/// of what is at a side: both ends of what they share are nearer than `gap_mm`. Pads let it in by
/// up to `deflection_mm`.
void visit_flush_edges(const ContactBodies& bodies, const Configuration& q, JawSide side,
                       double gap_mm, double deflection_mm,
                       const std::function<void(const Pair&, const FlushStretch&)>& visit);

/// Sorts features, and drops repeated ones and the corners whose edge or arc is among the features
/// too.
void drop_corners_of_touched(const Part& part, std::vector<int>& features);

}  // namespace graspmap
