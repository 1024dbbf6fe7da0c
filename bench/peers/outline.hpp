#pragma once

#include <cstddef>
#include <vector>

#include "geometry/part.hpp"

namespace graspmap::bench {

/// A convex polygon in place of a superellipse, or of what other pieces leave of it.
struct Outline {
  std::vector<Vec2> corners_mm;  ///< counter-clockwise, in the superellipse's axes
  double error_mm = 0.0;         ///< its distance from the superellipse, at most, about
};

/// The polygon of `corners` >= 4 corners that follows a piece's outline most closely: its corners
/// lie as far outside as its edges' middles lie inside, the same all along. Where one other piece
/// covers a stretch of the outline, no corners are spent on it: an edge cuts it off, which is
/// inside the other piece. A piece that another one covers completely has no corners. `inset_mm`
/// moves all of the outline inwards.
Outline make_outline(const Part& part, std::size_t piece, int corners, double inset_mm = 0.0);

/// The polygon cut into convex polygons of 8 corners each: as few as keep to `error_mm`, but at
/// most 8 of them.
std::vector<std::vector<Vec2>> octagons(const Part& part, std::size_t piece, double error_mm,
                                        double inset_mm);

/// The corners of an outline that is a convex polygon, in P, all of it moved inwards by `inset_mm`.
/// Throws std::invalid_argument for other outlines: engines know convex shapes only.
std::vector<Vec2> convex_corners(const OutlinePiece& piece, double inset_mm = 0.0);

}  // namespace graspmap::bench
