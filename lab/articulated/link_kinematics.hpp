#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/articulated/coordinates.hpp"
#include "lab/articulated/spatial_algebra.hpp"
#include "lab/articulated/system.hpp"

namespace graspmap {

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

}  // namespace graspmap
