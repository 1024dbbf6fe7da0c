#pragma once

#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// True when the scenario's part, about whose centre of mass `bodies` are, overlaps or touches a
/// finger or the palm in a state, or one lies within the other. Holes count as filled: a finger in
/// a hole overlaps the part. Cost: cheap where the pieces' circles are apart from the fingers.
bool overlaps_fingers(const Scenario& scenario, const ContactBodies& bodies, const State& state);

}  // namespace graspmap
