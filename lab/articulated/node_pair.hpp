#pragma once

#include <vector>

#include "lab/articulated/link_kinematics.hpp"

namespace graspmap {

/// A point of link A and one of link B (-1: the ground), whose relative velocity along three
/// directions makes three rows of J: a closure, or a contact in (n, t, o).
struct NodePair {
  int link_a = 0;
  int link_b = -1;
  Vec3 arm_a_mm = Vec3::Zero();  ///< from link A's origin to its point, in G's axes
  Vec3 arm_b_mm = Vec3::Zero();  ///< likewise; of the ground unused
  Mat3 axes = Mat3::Identity();  ///< the directions, row by row
};

/// The velocity of A's point less that of B's, along the pair's directions: three rows of J nu.
Vec3 pair_velocity(const std::vector<LinkKinematics>& links, const NodePair& pair);

/// Adds the impulse p (along the pair's directions, on A; the opposite on B) to the links' impulses
/// about their origins: J^T p.
void add_pair_impulse(const NodePair& pair, const Vec3& p, std::vector<Twist>& impulses);

}  // namespace graspmap
