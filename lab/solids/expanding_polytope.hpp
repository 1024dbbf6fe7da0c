#pragma once

#include "lab/solids/minkowski_difference.hpp"

namespace graspmap {

/// The direction along which two solids are most apart, by a polytope within their Minkowski
/// difference whose nearest face is expanded until it does not grow by more than 1e-12 of the size,
/// or it has a few hundred faces (round solids deep in each other). Overlapping solids: the
/// direction of least penetration, to 1e-12 of the size in depth and the root of that in angle
/// where surfaces are curved; with as many faces about 1e-3 in depth. Solids apart: a direction
/// that separates them.
struct PolytopeNormal {
  Vec3 normal = Vec3::UnitZ();  ///< out of B into A
  MinkowskiPoint point;         ///< of the polytope's face, nearest to the origin
};
PolytopeNormal expand_polytope(const MinkowskiDifference& difference);

}  // namespace graspmap
