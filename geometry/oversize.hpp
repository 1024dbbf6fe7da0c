#pragma once

#include <string>

#include "geometry/part.hpp"

namespace graspmap {

/// Makes `grown` the part whose outlines all lie `offset_mm` further out than those of `drawn`
/// (offset_mm < 0: further in). Segments and arcs of outlines move by exactly that, and are
/// lengthened or shortened to where they meet: corners stay sharp, as a machinist's oversize has
/// them; holes get smaller. The number, the order and the names of the elements stay. Semi-axes of
/// superellipses grow by the offset: that is the parallel curve of a disc, and of no other
/// superellipse. Returns what vanishes, as a message names it ("arc 3 of \"plate\""); empty when
/// nothing does. Does not look for elements that cross: see `outline_faults`. `grown` is memory.
std::string oversize(const Part& drawn, double offset_mm, Part& grown);

}  // namespace graspmap
