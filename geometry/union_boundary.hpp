#pragma once

#include <cstddef>
#include <vector>

#include "geometry/part.hpp"

namespace graspmap {

/// An arc of one piece's boundary, run through counter-clockwise.
struct BoundaryArc {
  std::size_t piece = 0;  ///< index into Part::pieces
  double begin = 0.0;     ///< boundary parameters, 0 <= begin < end <= 2 pi, see `boundary_point`
  double end = 0.0;
};

/// The boundary of the union of a part's pieces: the arcs of each piece's boundary that no other
/// piece covers. The end points of the arcs of two pieces that cross agree to rounding. Where two
/// boundaries coincide, the first piece keeps the arc, so a duplicate of a piece has none.
/// Cost: of order 10^3 boundary points for each pair of pieces.
std::vector<BoundaryArc> union_boundary(const Part& part);

}  // namespace graspmap
