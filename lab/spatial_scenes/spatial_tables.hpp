#pragma once

#include <string>

#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// trajectory.csv: a row for each sample with the pose and velocity of each body that moves, in
/// columns NAME.x_mm and so on.
std::string spatial_trajectory_csv(const SpatialSceneFile& file, const SpatialRecording& recording);

/// contacts.csv: a row for each contact that took part in a sample's step.
std::string spatial_contacts_csv(const SpatialSceneFile& file, const SpatialRecording& recording);

/// energy.csv: a row for each sample.
std::string spatial_energy_csv(const SpatialRecording& recording);

/// steps.csv: what the steps since the row before took, the deepest overlap of the bodies, and of
/// an articulated system the work of its contacts, a row for each sample.
std::string spatial_steps_csv(const SpatialSceneFile& file, const SpatialRecording& recording);

}  // namespace graspmap
