#pragma once

#include <optional>
#include <vector>

#include "lab/planar/scene.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

/// How deep two shapes overlap, mm; 0 when they do not. For two polygons with no vertex of one in
/// the other, the depth is that of their cores.
double overlap_mm(const PlacedShape& a, const PlacedShape& b);

/// The deepest overlap of two bodies, one of which moves, beyond what their law allows (a soft
/// layer's largest deflection; anything when they do not touch); nothing when all are below 1e-6 of
/// the bodies' size. Looks at all pairs, whatever contacts a step took into account. `poses` by
/// body.
std::optional<BodyOverlap> deepest_overlap(const PlanarScene& scene,
                                           const std::vector<Vec3>& poses);

}  // namespace graspmap
