#pragma once

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/scene_drawing.hpp"

namespace graspmap {

/// The motion in one picture, NAME.gp: the bodies at equal times until they rest, earlier ones
/// paler, in one panel; scenes of more than four moving bodies have four moments side by side.
Figure scene_motion_figure(const SceneFile& file, const PlanarResult& result,
                           const std::string& name = "motion");

/// The samples of the moments that it shows, ascending: at most `count`, the first and the one from
/// which on nothing moves by more than a hundredth of the window among them.
std::vector<std::size_t> strobe_samples(const SceneFile& file, const PlanarRecording& recording,
                                        std::size_t count);

}  // namespace graspmap
