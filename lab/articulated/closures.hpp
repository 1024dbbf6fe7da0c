#pragma once

#include <vector>

#include "lab/articulated/node_pair.hpp"

namespace graspmap {

/// The opening of a closure: from its point on link B (or in G) to that on link A, in G's axes,
/// mm.
Vec3 closure_gap(const Closure& closure, const std::vector<LinkKinematics>& links);

/// A closure's rows: along G's axes.
NodePair closure_pair(const Closure& closure, const std::vector<LinkKinematics>& links);

/// The acceleration of A's point on B's, given the links' rates: J nudot + Jdot nu.
Vec3 closure_acceleration(const NodePair& pair, const std::vector<LinkKinematics>& links,
                          const std::vector<Twist>& rates);

}  // namespace graspmap
