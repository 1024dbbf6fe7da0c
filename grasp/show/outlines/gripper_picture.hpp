#pragma once

#include "grasp/show/outlines/drawing_picture.hpp"
#include "grasp/sweep/config/gripper_models.hpp"

namespace graspmap {

/// The pads of grippers from above, open, to one scale: a row each, with name, opening, force.
PictureShapes gripper_picture(std::span<const GripperModel> models);

}  // namespace graspmap
