#pragma once

#include <optional>

#include "lab/scenes/scene_report.hpp"
#include "sim/planar/scene.hpp"

namespace graspmap {

/// How deep two shapes overlap, mm; 0 when they do not. For two polygons of which neither has a
/// vertex in the other the depth is that of their cores.
double overlap_mm(const PlacedShape& a, const PlacedShape& b);

/// The deepest overlap in a state of two bodies of which one moves, beyond what their law allows (a
/// soft layer's largest deflection; anything when they do not touch); nothing when all are below
/// 1e-6 of the bodies' size. Looks at all pairs, whatever contacts a step took into account.
std::optional<BodyOverlap> deepest_overlap(const PlanarScene& scene, const PlanarState& state);

}  // namespace graspmap
