#pragma once

#include <vector>

#include "lab/spatial/scene.hpp"

namespace graspmap {

/// Two bodies that may touch, body_a < body_b; at least one moves.
struct BodyPair {
  int body_a = 0;
  int body_b = 0;
  bool operator==(const BodyPair&) const = default;
};

/// The pairs with a gap of at most `reach_mm` in a state, in the order of their bodies.
std::vector<BodyPair> near_pairs(const SpatialScene& scene, const SpatialState& state,
                                 double reach_mm);

/// Adds the pairs that overlap in a state and are not among `pairs`. False when there are none.
bool add_overlapping(const SpatialScene& scene, const SpatialState& state,
                     std::vector<BodyPair>& pairs);

}  // namespace graspmap
