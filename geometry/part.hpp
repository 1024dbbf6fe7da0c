#pragma once

#include <string>
#include <vector>

#include "geometry/pose2.hpp"
#include "geometry/superellipse.hpp"

namespace graspmap {

/// One convex piece of a part.
struct Piece {
  std::string name;
  Superellipse shape;
  Pose2 pose;  ///< X_PA: the piece's axes in the part frame P
};

/// A flat rigid part: the union of named convex pieces. Pieces may overlap.
struct Part {
  std::vector<Piece> pieces;
};

/// True when the point (in the part frame, mm) lies in at least one piece.
bool contains(const Part& part, const Vec2& x_P_mm);

/// The largest distance from `center_P_mm` to a point of the part, bounded from above, in mm.
double bounding_radius_mm(const Part& part, const Vec2& center_P_mm);

}  // namespace graspmap
