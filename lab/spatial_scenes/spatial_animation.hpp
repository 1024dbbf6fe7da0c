#pragma once

#include <string>

#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// A simulation in space as an animated GIF, seen from above at an angle: the bodies, marks on them
/// that turn, links and joints, and the forces of the contacts as arrows on the bodies that move.
/// Frames as of a planar scene. Throws IoError when gnuplot is missing or fails.
std::string scene_animation(const SpatialSceneFile& file, const SpatialResult& result,
                            const std::string& gnuplot = "gnuplot");

/// The gnuplot script that draws it, into motion.gif.
std::string scene_animation_script(const SpatialSceneFile& file, const SpatialResult& result);

}  // namespace graspmap
