#pragma once

#include <vector>

#include "geometry/part.hpp"

namespace graspmap {

/// A stretch of a boundary's parameter.
struct Stretch {
  double begin;
  double end;
};

/// Appends the stretches that an outline covers, or that another piece covers of an outline, to
/// those of each curve: `covered` has a list for each superellipse of the part, then for each
/// element of the outlines, holes after outer chains. Crossings of segments and arcs are closed
/// forms, those with superellipses are bisected to rounding.
void append_covered_by_outlines(const Part& part, std::vector<std::vector<Stretch>>& covered);

}  // namespace graspmap
