#pragma once

#include <utility>
#include <vector>

#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// A stroke the other way round.
inline Stroke reversed(Stroke stroke) {
  std::swap(stroke.begin_mm, stroke.end_mm);
  stroke.bulge = -stroke.bulge;
  return stroke;
}

/// Strokes of a closed chain: each one begins exactly where the one before ends.
using ClosedChain = std::vector<Stroke>;

/// Joins the strokes of a sketch to closed chains; `drawing` records what was dropped and which
/// gaps were joined. Throws ConfigError naming the place when an end is left over, or when more
/// than two meet.
std::vector<ClosedChain> closed_chains(const SourceFile& source, const Sketch& sketch,
                                       double tolerance_mm, Drawing& drawing);

/// The same chain with fewer strokes: segments in a line, and arcs of one circle, that follow each
/// other on a layer become one. An arc stays within half a circle. Returns how many were merged.
int merge_strokes(ClosedChain& chain);

}  // namespace graspmap
