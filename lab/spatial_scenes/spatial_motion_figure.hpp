#pragma once

#include "grasp/base/pictures/figure.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// The motion in one picture, NAME.gp, seen from above at an angle: the bodies at equal times until
/// they rest, earlier ones paler, in one panel; scenes of more than four moving bodies, and of
/// bodies that hardly move, have four moments side by side.
Figure spatial_motion_figure(const SpatialSceneFile& file, const SpatialResult& result,
                             const std::string& name = "motion");

/// The samples of the moments that it shows, ascending: at most `count`, the first and the one from
/// which on nothing moves by more than `least_mm` or turns by more than 0.05 rad among them.
std::vector<std::size_t> strobe_samples(const SpatialSceneFile& file,
                                        const SpatialRecording& recording, std::size_t count,
                                        double least_mm);

}  // namespace graspmap
