#pragma once

#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// The figures of a simulation in space: the energies, the positions, the contacts (where there are
/// any), the worst overlap, each over time, and the motion.
std::vector<Figure> scene_figures(const SpatialSceneFile& file, const SpatialResult& result);

}  // namespace graspmap
