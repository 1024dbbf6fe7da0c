#pragma once

#include <string>
#include <vector>

#include "geometry/pose2.hpp"

namespace graspmap {

/// A segment or an arc of a closed chain: from `begin_mm` to the next element's.
struct OutlineElement {
  Vec2 begin_mm{0, 0};
  double bulge = 0.0;  ///< tan(turn / 4), as DXF has it: 0 a segment, > 0 counter-clockwise
  std::string name;    ///< what touches it is said to touch; empty: "edge 7" or "arc 7"
};

/// A closed chain of elements; the last one ends where the first begins.
using OutlineLoop = std::vector<OutlineElement>;

/// A region of the plane, convex or not: what lies within `outer` and in none of the holes.
struct Outline {
  OutlineLoop outer;               ///< counter-clockwise, without crossings
  std::vector<OutlineLoop> holes;  ///< clockwise, within `outer`, apart from each other
};

/// A segment or an arc, with what is often asked of it computed once.
struct OutlineCurve {
  Vec2 begin_mm{0, 0};
  Vec2 end_mm{0, 0};
  double turn_rad = 0.0;   ///< of its tangent, > 0 counter-clockwise; 0: a segment
  Vec2 center_mm{0, 0};    ///< of an arc
  double radius_mm = 0.0;  ///< of an arc, > 0
  double angle_rad = 0.0;  ///< of an arc: from its centre to its begin

  [[nodiscard]] bool is_arc() const { return turn_rad != 0.0; }
  [[nodiscard]] double length_mm() const;
};

/// The segment or arc between two different points.
OutlineCurve outline_curve(const Vec2& begin_mm, const Vec2& end_mm, double bulge);

/// The elements of a loop in their order.
std::vector<OutlineCurve> outline_curves(const OutlineLoop& loop);

/// The point at the share s of a curve's length, 0 <= s <= 1: exactly its ends at 0 and 1.
Vec2 point_at(const OutlineCurve& curve, double s);

/// The unit tangent there, in the curve's direction.
Vec2 tangent_at(const OutlineCurve& curve, double s);

/// The outline whose axes are at a pose, in the pose's frame.
Outline placed(const Outline& outline, const Pose2& pose);

/// The mirror image at the line x = 0. Orientations are kept: chains run backwards.
Outline mirrored(const Outline& outline);

/// The least width of the region, mm, measured inwards at the middles of the outer chain's
/// elements. Cost: of order n^2 for n elements.
double least_width_mm(const Outline& outline);

/// "edge 7", "arc 7" or the element's own name; k counts from 0.
std::string element_name(const OutlineLoop& loop, std::size_t k);

}  // namespace graspmap
