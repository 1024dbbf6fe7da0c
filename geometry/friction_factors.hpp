#pragma once

#include "geometry/part.hpp"

namespace graspmap {

/// True when the jaws' friction is not the same on all pieces of the part.
bool has_friction_factors(const Part& part);

/// The factor of the piece that a feature belongs to.
double friction_factor(const Part& part, int feature);

}  // namespace graspmap
