#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "lab/scenes/picture_layout.hpp"

namespace graspmap {

/// The outlines of a body's pieces at a pose, as smooth as a picture of the window needs.
/// Half-planes end where `window` does; pieces outside of it have no points.
std::vector<DrawnLine> body_outlines(const PlanarBody& body, const Vec3& pose, const Box& window);

/// The rectangle that shows where all bodies are that move, in all samples, with some room about
/// it; and fixed ones, as far as they are near. Its height is from 0.4 to 1.25 of its width.
Box scene_window_mm(const SceneFile& file, const PlanarRecording& recording);

/// The colour of a block of bodies, "#0072b2": grey when its bodies do not move freely.
std::string block_color(const SceneFile& file, std::size_t block);

/// The motion in one picture, NAME.gp: the bodies at equal times until they rest, earlier ones
/// paler, in one panel; scenes of more than four moving bodies have four moments side by side.
Figure scene_motion_figure(const SceneFile& file, const PlanarResult& result,
                           const std::string& name = "motion");

/// The samples of the moments that it shows, ascending: at most `count`, the first and the one from
/// which on nothing moves by more than a hundredth of the window among them.
std::vector<std::size_t> strobe_samples(const SceneFile& file, const PlanarRecording& recording,
                                        std::size_t count);

/// The figures of a simulation: the energies, the positions, the worst overlap, each over time, and
/// the motion as an overlay of moments, or, of many bodies, as a few moments side by side.
std::vector<Figure> scene_figures(const SceneFile& file, const PlanarResult& result);

/// The gnuplot script of a simulation's animation, into motion.gif: the bodies, a line on each that
/// turns with it, and the forces of the contacts as arrows on the bodies that move.
std::string scene_animation_script(const SceneFile& file, const PlanarResult& result);

}  // namespace graspmap
