#pragma once

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "geometry/types.hpp"

namespace graspmap {

/// A segment or an arc of a closed chain: from `begin_mm` to the next element's.
struct OutlineElement {
  Vec2 begin_mm{0, 0};
  double bulge = 0.0;       ///< tan(turn / 4), as DXF has it: 0 a segment, > 0 counter-clockwise
  std::string name;         ///< what touches it is said to touch; empty: "edge 7" or "arc 7"
  std::string corner = {};  ///< the name of its begin; empty: "corner 7"
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

/// Element k of a loop, from 0; and all of them in their order.
OutlineCurve outline_curve(const OutlineLoop& loop, std::size_t k);
std::vector<OutlineCurve> outline_curves(const OutlineLoop& loop);

/// The loops of an outline: the outer one, then the holes.
std::vector<const OutlineLoop*> loops_of(const Outline& outline);

/// The point at the share s of a curve's length, 0 <= s <= 1: exactly its ends at 0 and 1.
Vec2 point_at(const OutlineCurve& curve, double s);

/// The unit tangent there, in the curve's direction.
Vec2 tangent_at(const OutlineCurve& curve, double s);

/// The outline whose axes are at a pose, in the pose's frame.
Outline placed(const Outline& outline, const Pose2& pose);

/// The mirror image at the line x = 0. Orientations are kept: chains run backwards. Elements and
/// corners keep their names, also those that they have by their number.
Outline mirrored(const Outline& outline);

/// The least width of the region, mm, measured inwards at the middles of the outer chain's
/// elements. Cost: of order n^2 for n elements.
double least_width_mm(const Outline& outline);

/// "edge 7", "arc 7" or the element's own name; k counts from 0.
std::string element_name(const OutlineLoop& loop, std::size_t k);

/// "corner 7" or the name of element k's begin.
std::string corner_name(const OutlineLoop& loop, std::size_t k);

/// The share s, 0 <= s <= 1, of a curve's length at which it is closest to a point.
double closest_share(const OutlineCurve& curve, const Vec2& x_mm);

/// The distance of a point from a curve, in mm.
double distance_mm(const OutlineCurve& curve, const Vec2& x_mm);

/// True when the point lies within a loop, whichever way it runs. Exact except for points nearer
/// to the boundary than a rounding error: the loop's winding number about the point, without
/// angles.
bool contains(const OutlineLoop& loop, const Vec2& x_mm);

/// True when the point lies within the outer chain and in none of the holes.
bool contains(const Outline& outline, const Vec2& x_mm);

/// The area within a loop, in mm^2: > 0 when it runs counter-clockwise.
double signed_area_mm2(const OutlineLoop& loop);

/// The largest distance of a curve's points from a point, in mm.
double farthest_mm(const OutlineCurve& curve, const Vec2& x_mm);

/// The smallest box with sides along the axes that holds a curve, or a loop.
Eigen::AlignedBox2d box_of(const OutlineCurve& curve);
Eigen::AlignedBox2d box_of(const OutlineLoop& loop);

/// The pairs (i, j), i < j, of boxes that overlap or are nearer to each other than `reach_mm`,
/// sorted. Cost: n log n for n boxes, and one cheap test for each pair that overlaps along x.
std::vector<std::pair<std::size_t, std::size_t>> overlapping_pairs(
    const std::vector<Eigen::AlignedBox2d>& boxes, double reach_mm);

/// A point at which two curves cross or touch.
struct CurveMeeting {
  Vec2 point_mm{0, 0};
  double share_a = 0.0;  ///< of the first curve's length
  double share_b = 0.0;  ///< of the second one's
};

/// Where two curves meet: their crossings, in closed form, and the ends of one that are not farther
/// than `touch_mm` from the other; curves that touch from the side do so within `touch_mm`, too.
/// A stretch that they share counts with its ends. A point may be there twice, to rounding.
std::vector<CurveMeeting> meetings(const OutlineCurve& a, const OutlineCurve& b, double touch_mm);

}  // namespace graspmap
