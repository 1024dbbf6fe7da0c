#pragma once

#include <vector>

#include "lab/articulated/link_kinematics.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// The mechanical energy of the links, J; potential zero at the origin of G.
SceneEnergy energy(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links);

}  // namespace graspmap
