#pragma once

#include <string>

#include "lab/scenes/scene_recording.hpp"

namespace graspmap {

/// trajectory.csv: a row for each sample with the pose and velocity of each body that moves or is
/// shaken, in columns NAME.x_mm and so on.
std::string scene_trajectory_csv(const PlanarScene& scene, const SceneRecording& recording);

/// contacts.csv: a row for each contact that took part in a sample's step.
std::string scene_contacts_csv(const PlanarScene& scene, const SceneRecording& recording);

/// energy.csv: a row for each sample.
std::string scene_energy_csv(const SceneRecording& recording);

/// steps.csv: what the steps since the row before took, and the deepest overlap of the bodies, a
/// row for each sample.
std::string scene_steps_csv(const SceneRecording& recording);

}  // namespace graspmap
