#pragma once

#include <string>

#include "lab/scenes/planar_recording.hpp"

namespace graspmap {

/// A simulation as an animated GIF: the bodies, a line on each that turns with it, and the forces
/// of the contacts as arrows on the bodies that move. At most 150 frames, 25 per second, at a speed
/// that the picture names; the end is held. Throws IoError when gnuplot is missing or fails.
std::string scene_animation(const SceneFile& file, const PlanarResult& result,
                            const std::string& gnuplot = "gnuplot");

/// The gnuplot script that draws it, into motion.gif.
std::string scene_animation_script(const SceneFile& file, const PlanarResult& result);

}  // namespace graspmap
