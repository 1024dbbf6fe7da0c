#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// True when the scenario's part, which `part` has, overlaps a finger or the palm by more than
/// `depth_mm` in configuration q. For drawn fingers and for outlines: found from where curves lie
/// within the other body, without contacts. Cost: cheap where the pieces' circles are apart from
/// the fingers. Nothing is allocated.
bool overlaps_deeply(const Scenario& scenario, BroadPhase& part, const Configuration& q,
                     double depth_mm);

}  // namespace graspmap
