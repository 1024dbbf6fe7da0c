#pragma once

namespace graspmap {

/// From now on sweep configurations are read with any time-stepper of scenes:
/// [simulation] stepper and polygon_vertices. To be called at the start of main().
void install_scene_steppers();

}  // namespace graspmap
