#pragma once

#include "sim/closing/model.hpp"

namespace graspmap {

/// The scenario with its part scaled about P's origin by a factor > 0: a plate of the same
/// thickness and density, so that its mass goes with factor^2 and its inertia with factor^4. What
/// it rests on is scaled with it: e_r, the tripod's radius, points, and the lengths of limit
/// surfaces.
Scenario with_part_scaled(Scenario scenario, double factor);

}  // namespace graspmap
