#pragma once

#include <cstddef>
#include <vector>

#include "lab/spatial_scenes/solid_drawing.hpp"

namespace graspmap {

/// A bounded solid in a picture, at one of its moments.
struct PaintedSolid {
  Solid solid;
  Pose3 pose;
  int moment = -1;  ///< -1: it is there at all of them
};

/// The order in which solids are painted so that each hides what is behind it: of two that are
/// there at the same moment the farther one first, by the plane that separates them. Where that
/// leaves a choice, earlier moments first, then what is farther from the eye. Exact unless solids
/// overlap or hide each other in a ring.
std::vector<std::size_t> painting_order(const std::vector<PaintedSolid>& solids,
                                        const SpatialView& view);

}  // namespace graspmap
