#pragma once

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// True when the scenario's part, about whose centre of mass `bodies` are, overlaps or touches a
/// finger or the palm in a state, or one lies within the other. Holes count as filled: a finger in
/// a hole overlaps the part. Cost: cheap where the pieces' circles are apart from the fingers.
bool overlaps_fingers(const Scenario& scenario, const ContactBodies& bodies, const State& state);

/// True when the scenario's part, which `part` has, overlaps a finger, the palm or an obstacle by
/// more than `depth_mm` in configuration q. For drawn fingers and for outlines: found from where
/// curves lie within the other body, without contacts. Cost: cheap where the pieces' circles are
/// apart from the fingers. Nothing is allocated.
bool overlaps_deeply(const Scenario& scenario, BroadPhase& part, const Configuration& q,
                     double depth_mm);

/// The first obstacle that the part overlaps in a configuration in which no finger and no palm
/// does, or -1. What rests against an obstacle, or in a nest, does not overlap it.
int overlapped_obstacle(const Scenario& scenario, BroadPhase& part, const Configuration& q);

}  // namespace graspmap
