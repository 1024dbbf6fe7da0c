#pragma once

#include <vector>

#include "geometry/union_boundary.hpp"

namespace graspmap {

/// Points of P along an arc of a part's boundary, for pictures, in mm: both ends, and between them
/// as many as `per_turn` > 0 points of a whole turn ask for. A segment has its two ends only.
std::vector<Vec2> boundary_points(const Part& part, const BoundaryArc& arc, int per_turn);

}  // namespace graspmap
