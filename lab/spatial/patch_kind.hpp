#pragma once

#include <vector>

#include "lab/spatial/contact.hpp"

namespace graspmap {

/// Sets the patches of contacts at points: by how many points of a pair of bodies touch (their gaps
/// are at most `closed_mm`), where one of the pair carries an impulse: a point, a line (two), a
/// surface (more). Others are open.
void set_patches(double closed_mm, std::vector<SpatialContact>& contacts);

}  // namespace graspmap
