#pragma once

#include <cstdint>
#include <vector>

#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// What of an outline can touch: an arc, a segment, or a corner. Each touches in the directions of
/// its own outward normals, and where they end a neighbour continues.
struct ContactElement {
  enum class Kind : std::uint8_t {
    kRound,    ///< a convex arc, or with radius 0 a convex corner
    kSegment,  ///< one normal
    kHollow    ///< a concave arc: it touches round elements of a smaller radius
  };
  Kind kind = Kind::kRound;
  Vec2 point_mm{0, 0};     ///< the centre, or where a segment begins
  double radius_mm = 0.0;  ///< of an arc, 0 for a corner
  Vec2 tangent{0, 0};      ///< of a segment, in the chain's direction
  double length_mm = 0.0;  ///< of a segment
  /// The outward unit normals turn counter-clockwise from normal_lo to normal_hi by span_rad.
  Vec2 normal_lo{0, 0};
  Vec2 normal_hi{0, 0};
  double span_rad = 0.0;
  Vec2 lo_mm{0, 0};  ///< the end point with normal_lo; where a segment begins
  Vec2 hi_mm{0, 0};
  int at_lo = -1;  ///< the neighbour there; -1: a reflex corner ends the chain
  int at_hi = -1;
  /// How far the element still bounds what it touches beyond an end where no neighbour takes over:
  /// half of how far its line runs within the region there. 0 where a convex neighbour follows.
  double beyond_lo_mm = 0.0;
  double beyond_hi_mm = 0.0;
  int feature = 0;  ///< of the outline: element k of its outer chain of n, or n + k for corner k
  int joined = 1;   ///< how many arcs of one circle this is, beginning with `feature`
  /// A superellipse can touch a hollow of a finger at two places. The hollow takes those in the
  /// superellipse's first and third quadrants, a copy of it, which outlines do not touch, the
  /// others. -1: none.
  int copy = -1;
  bool is_copy = false;  ///< `copy` is then the hollow
};

/// The elements of an outline's outer chain in their order, corners between those that they join.
/// Joints that turn by less than tolerances::kRounding, with an arc kDrawnRounding, are
/// smooth; consecutive arcs of one circle are one element.
std::vector<ContactElement> contact_elements(const Outline& outline);

/// The same as the outline's axes are in another frame. Indices of neighbours grow by `first`,
/// features by `first_feature`.
ContactElement placed(const ContactElement& element, const Pose2& pose, int first,
                      int first_feature);

/// Where a direction lies among the outward normals of an element.
enum class NormalRange : std::uint8_t { kInside, kBelow, kAbove };

/// `u` is a unit vector in the element's frame; `slack` is the sine by which it may lie outside.
NormalRange range_of(const ContactElement& element, const Vec2& u, double slack);

/// Beyond which end of a segment the foot of a point lies, `along_mm` from its begin.
inline NormalRange foot_of(const ContactElement& segment, double along_mm) {
  if (along_mm < -tolerances::kShapeRounding) return NormalRange::kBelow;
  return along_mm > segment.length_mm + tolerances::kShapeRounding ? NormalRange::kAbove
                                                                   : NormalRange::kInside;
}

/// What lies at the end of an element beyond which something is, kBelow or kAbove: the neighbour or
/// -1, the end point, and how far the element reaches on.
inline int neighbour(const ContactElement& element, NormalRange end) {
  return end == NormalRange::kBelow ? element.at_lo : element.at_hi;
}
inline const Vec2& end_point(const ContactElement& element, NormalRange end) {
  return end == NormalRange::kBelow ? element.lo_mm : element.hi_mm;
}
inline double beyond_mm(const ContactElement& element, NormalRange end) {
  return end == NormalRange::kBelow ? element.beyond_lo_mm : element.beyond_hi_mm;
}

/// A circle about the element: its centre and radius.
struct BoundingCircle {
  Vec2 center_mm{0, 0};
  double radius_mm = 0.0;
};
BoundingCircle bounding_circle(const ContactElement& element);

}  // namespace graspmap
