#pragma once

#include <Eigen/Geometry>
#include <utility>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// The share s, 0 <= s <= 1, of a curve's length at which it is closest to a point.
double closest_share(const OutlineCurve& curve, const Vec2& x_mm);

/// The distance of a point from a curve, in mm.
double distance_mm(const OutlineCurve& curve, const Vec2& x_mm);

/// The distance of a point from an outline's boundary, holes included, in mm: >= 0 on both sides.
double boundary_distance_mm(const Outline& outline, const Vec2& x_mm);

/// True when the point lies within a loop, whichever way it runs. Exact but for points nearer to
/// the boundary than a rounding error: the loop's winding number about the point, without angles.
bool contains(const OutlineLoop& loop, const Vec2& x_mm);

/// True when the point lies within the outer chain and in none of the holes.
bool contains(const Outline& outline, const Vec2& x_mm);

/// The area within a loop, in mm^2: > 0 when it runs counter-clockwise.
double signed_area_mm2(const OutlineLoop& loop);

/// The largest distance of a curve's points from a point, in mm.
double farthest_mm(const OutlineCurve& curve, const Vec2& x_mm);

/// The smallest box with sides along the axes that holds a curve.
Eigen::AlignedBox2d box_of(const OutlineCurve& curve);

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
/// than `touch_mm` from the other; curves that touch from the side do so within `touch_mm`, too. Of
/// a stretch that they share, its ends. A point may be there more than once, to rounding.
std::vector<CurveMeeting> meetings(const OutlineCurve& a, const OutlineCurve& b, double touch_mm);

}  // namespace graspmap
