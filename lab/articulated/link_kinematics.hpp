#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/articulated/system.hpp"
#include "lab/solids/solid.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// Motions (v, w) of a link are those of its origin, forces (f, n) on it are taken about its
/// origin, both in G's axes: 6-vectors in this order. `l_mm` runs from a parent's origin to its
/// child's.
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// phi^T V: the motion that a child's origin has with its parent.
inline Twist carried_motion(const Vec3& l_mm, const Twist& parent) {
  Twist child = parent;
  child.head<3>() += parent.tail<3>().cross(l_mm);
  return child;
}

/// phi f: a force at a child's origin as one at its parent's.
inline Twist carried_force(const Vec3& l_mm, const Twist& child) {
  Twist parent = child;
  parent.tail<3>() += l_mm.cross(child.head<3>());
  return parent;
}

/// phi P phi^T: an inertia about a child's origin as one about its parent's; P is symmetric.
inline Mat6 carried_inertia(const Vec3& l_mm, const Mat6& P) {
  const Mat3 l = cross_matrix(l_mm);
  const Mat3 A = P.topLeftCorner<3, 3>();
  const Mat3 B = P.topRightCorner<3, 3>();
  const Mat3 Al = A * l;
  const Mat3 lB = l * B;
  Mat6 carried;
  carried.topLeftCorner<3, 3>() = A;
  carried.topRightCorner<3, 3>() = B - Al;
  carried.bottomLeftCorner<3, 3>() = (B - Al).transpose();
  carried.bottomRightCorner<3, 3>() = P.bottomRightCorner<3, 3>() + lB + lB.transpose() - l * Al;
  return carried;
}

/// The velocity of a point at `r_mm` from the origin of a body that moves as `motion`.
inline Vec3 velocity_at(const Twist& motion, const Vec3& r_mm) {
  return motion.head<3>() + Vec3(motion.tail<3>()).cross(r_mm);
}

/// The acceleration of such a point of the body, given the time derivative of its motion.
inline Vec3 acceleration_at(const Twist& motion, const Twist& rate, const Vec3& r_mm) {
  const Vec3 w = motion.tail<3>();
  return velocity_at(rate, r_mm) + w.cross(w.cross(r_mm));
}

/// The columns of a joint's motions: 6 x 1, 3 or 6, held without allocation.
using JointMap = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

/// The pose and the velocity of a link. Vectors are in G's axes.
struct LinkKinematics {
  Mat3 R = Mat3::Identity();           ///< the link's axes to G's
  Vec3 origin_mm = Vec3::Zero();       ///< the joint's point
  Vec3 from_parent_mm = Vec3::Zero();  ///< from the parent's origin (G's for a root)
  JointMap H;                          ///< motion on the parent = H nu
  Twist velocity = Twist::Zero();      ///< (v of the origin, w)
  Twist bias = Twist::Zero();          ///< its rate of change from velocities alone:
                                       ///< rate = phi^T rate of the parent + H nudot + bias

  /// From the link's origin to a point of the link's frame, in G's axes.
  [[nodiscard]] Vec3 arm(const Vec3& point_mm) const { return R * point_mm; }
  [[nodiscard]] Vec3 to_world(const Vec3& point_mm) const { return origin_mm + arm(point_mm); }
};

/// Poses by link at q: R, origin_mm and from_parent_mm. O(N).
void place_links(const ArticulatedSystem& system, const CoordinateLayout& layout,
                 const Eigen::VectorXd& q, std::vector<LinkKinematics>& links);

/// After `place_links`: H, velocity and bias at nu. O(N).
void move_links(const ArticulatedSystem& system, const CoordinateLayout& layout,
                const Eigen::VectorXd& nu, std::vector<LinkKinematics>& links);

/// The mechanical energy of the links, J; potential zero at the origin of G.
SceneEnergy energy(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links);

/// A point of link A and one of link B (-1: the ground), whose relative velocity along three
/// directions makes three rows of J: a closure, or a contact in (n, t, o).
struct NodePair {
  int link_a = 0;
  int link_b = -1;
  Vec3 arm_a_mm = Vec3::Zero();  ///< from link A's origin to its point, in G's axes
  Vec3 arm_b_mm = Vec3::Zero();  ///< the same of link B; unused for the ground
  Mat3 axes = Mat3::Identity();  ///< the directions, row by row
};

/// The velocity of A's point less that of B's, along the pair's directions: three rows of J nu.
Vec3 pair_velocity(const std::vector<LinkKinematics>& links, const NodePair& pair);

/// Adds the impulse p (along the pair's directions, on A; the opposite on B) to the links' impulses
/// about their origins: J^T p.
void add_pair_impulse(const NodePair& pair, const Vec3& p, std::vector<Twist>& impulses);

/// The opening of a closure: from its point on link B (or in G) to that on link A, in G's axes,
/// mm.
Vec3 closure_gap(const Closure& closure, const std::vector<LinkKinematics>& links);

/// A closure's rows: along G's axes.
NodePair closure_pair(const Closure& closure, const std::vector<LinkKinematics>& links);

/// The acceleration of A's point on B's, given the links' rates: J nudot + Jdot nu.
Vec3 closure_acceleration(const NodePair& pair, const std::vector<LinkKinematics>& links,
                          const std::vector<Twist>& rates);

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
