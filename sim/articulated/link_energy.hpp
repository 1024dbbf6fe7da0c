#pragma once

#include <vector>

#include "sim/articulated/link_kinematics.hpp"
#include "sim/spatial/scene.hpp"

namespace graspmap {

/// The mechanical energy of the links, J; potential zero at the origin of G.
SceneEnergy energy(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links);

}  // namespace graspmap
