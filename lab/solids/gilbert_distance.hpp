#pragma once

#include <optional>

#include "lab/solids/minkowski_difference.hpp"

namespace graspmap {

/// The point of a Minkowski difference nearest to the origin, by the iteration of Gilbert, Johnson
/// and Keerthi; none where the origin is in it, or nearer than 1e-12 of its size. |d|^2 is that of
/// the nearest point to 1e-14, or to rounding.
std::optional<MinkowskiPoint> nearest_to_origin(const MinkowskiDifference& difference);

}  // namespace graspmap
