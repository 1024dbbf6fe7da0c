#pragma once

#include <vector>

#include "lab/articulated/node_pair.hpp"

namespace graspmap {

/// A link's ball and what it may touch: an obstacle, or another link's ball.
struct BallPair {
  int link_a = 0;
  int link_b = -1;    ///< > link_a; -1: an obstacle
  int obstacle = -1;  ///< where there is no link B
};

/// All pairs that may touch, see `ArticulatedSystem::self_contact`.
std::vector<BallPair> ball_pairs(const ArticulatedSystem& system);

/// The bodies of a snapshot that a pair is of: links, then obstacles.
int second_body(const ArticulatedSystem& system, const BallPair& pair);

/// Where two surfaces are closest.
struct BallContact {
  double gap_mm = 0.0;  ///< < 0: they overlap
  Vec3 normal = Vec3::UnitZ();
  Vec3 on_a_mm = Vec3::Zero();
  Vec3 on_b_mm = Vec3::Zero();
};
BallContact ball_contact(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                         const BallPair& pair);

/// A contact's rows (n, t, o): t is across n, along x where that is possible.
NodePair contact_nodes(const std::vector<LinkKinematics>& links, const BallPair& pair,
                       const BallContact& contact);

/// The rate of `pair_velocity` of a contact, given the links' rates: G_u nudot + Gdot_u nu of
/// Mylapilli and Jain 2017, eq. (37). The point of contact stays between the centres, it does not
/// turn with the links; t and o follow n without spin.
Vec3 contact_acceleration(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                          const std::vector<Twist>& rates, const BallPair& pair,
                          const NodePair& nodes);

}  // namespace graspmap
