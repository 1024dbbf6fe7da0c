#pragma once

#include <optional>

#include "sim/planar/scene.hpp"

namespace graspmap {

/// How deep two shapes overlap, mm; 0 when they do not. For two polygons of which neither has a
/// vertex in the other the depth is that of their cores.
double overlap_mm(const PlacedShape& a, const PlacedShape& b);

/// Two bodies that overlap.
struct BodyOverlap {
  int body_a = 0;
  int body_b = 0;
  double depth_mm = 0.0;
};

/// The deepest overlap of two bodies at the start of a scene which touch each other by its laws and
/// of which one moves; nothing when all depths are below 1e-6 of the bodies' size.
std::optional<BodyOverlap> deepest_start_overlap(const PlanarScene& scene);

}  // namespace graspmap
