#pragma once

#include <vector>

#include "sim/closing/contact_bodies.hpp"

namespace graspmap {

/// Adds the features of the straight edges that lie flush on a straight edge of what is at a side:
/// both ends of what faces it are nearer than `gap_mm`. `features` stay ascending.
void add_flush_edges(const ContactBodies& bodies, const Configuration& q, JawSide side,
                     double gap_mm, std::vector<int>& features);

/// Drops repeated features, and the corners whose edge or arc is among the features too.
void drop_corners_of_touched(const Part& part, std::vector<int>& features);

}  // namespace graspmap
