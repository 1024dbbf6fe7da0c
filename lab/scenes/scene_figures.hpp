#pragma once

#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/planar_recording.hpp"

namespace graspmap {

/// The figures of a simulation: the energies, the positions, the worst overlap, each over time, and
/// the motion as an overlay of moments, or, of many bodies, as a few moments side by side.
std::vector<Figure> scene_figures(const SceneFile& file, const PlanarResult& result);

}  // namespace graspmap
