#pragma once

#include <vector>

#include "lab/spatial_scenes/solid_drawing.hpp"

namespace graspmap {

/// The surface of a half-space as far as a picture shows it: a rectangle with lines at equal
/// distances.
struct GroundGrid {
  DrawnLine outline;             ///< closed; empty when other half-spaces hide all of it
  std::vector<DrawnLine> lines;  ///< two points each
  double spacing_mm = 0.0;
  bool faces_eye = true;  ///< false: it is seen from inside the half-space
};

/// The grids of half-spaces (z <= 0 of their frames) about all that moves, each as far as it is
/// outside the others.
std::vector<GroundGrid> ground_grids(const std::vector<Pose3>& half_spaces,
                                     const GrowingBox3& moving, const SpatialView& view);

}  // namespace graspmap
