#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/label_placer.hpp"
#include "lab/scenes/planar_recording.hpp"

namespace graspmap {

/// A closed line of points, mm, in G.
using DrawnPolygon = std::vector<Vec2>;

/// The outlines of a body's pieces at a pose, as smooth as a picture of the window needs.
/// Half-planes end where `window` does; pieces outside of it have no points.
std::vector<DrawnPolygon> body_outlines(const PlanarBody& body, const Vec3& pose,
                                        const Box& window);

/// The rectangle that shows where all bodies are that move, in all samples, with some room about
/// it; and fixed ones, as far as they are near. Its height is from 0.4 to 1.25 of its width.
Box scene_window_mm(const SceneFile& file, const PlanarRecording& recording);

/// The colour of a block of bodies, "#0072b2": grey when its bodies do not move freely.
std::string block_color(const SceneFile& file, std::size_t block);

/// gnuplot data: the outlines of a block's bodies at a moment, separated by blank lines. A block
/// that is out of the picture has one undefined point.
std::string outlines_data(const SceneFile& file, std::size_t block, const PlanarSnapshot& at,
                          const Box& window);

/// gnuplot data: for each body of a block a line from its centre of mass to its boundary, which
/// turns with it.
std::string marks_data(const SceneFile& file, std::size_t block, const PlanarSnapshot& at,
                       const Box& window);

}  // namespace graspmap
