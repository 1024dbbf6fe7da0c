#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/articulated/link_kinematics.hpp"

namespace graspmap {

/// The articulated inertia of a link with all that hangs on it, and what of it the link's joint
/// passes on, Mylapilli and Jain 2017, section 2, and Jain 2011.
struct ArticulatedInertia {
  Mat6 P;       ///< (kg, kg mm, kg mm^2) about the link's origin
  JointMap PH;  ///< P H
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> D_inverse;  ///< of D = H^T P H
};

/// By link, tip to base in O(N). False where a joint moves without inertia (a D that is not
/// positive definite): there is no forward dynamics then.
[[nodiscard]] bool articulate(const ArticulatedSystem& system,
                              const std::vector<LinkKinematics>& links,
                              std::vector<ArticulatedInertia>& inertias);

/// Accelerations without contacts and closures, in O(N).
struct FreeAcceleration {
  Eigen::VectorXd nudot;
  std::vector<Twist> rates;     ///< by link: of its `velocity`
  std::vector<Twist> coasting;  ///< the same at nudot = 0: what velocities alone make
};

/// nudot = M^-1 (tau - C) under gravity and velocity products, no joint forces:
/// Mylapilli and Jain 2017, eq. (19).
void forward_dynamics(const ArticulatedSystem& system, const CoordinateLayout& layout,
                      const std::vector<LinkKinematics>& links,
                      const std::vector<ArticulatedInertia>& inertias, FreeAcceleration& free);

/// The change of nu by impulses on the links (mN s; mN s mm about their origins; by link):
/// M^-1 J^T p in O(N).
void impulse_response(const ArticulatedSystem& system, const CoordinateLayout& layout,
                      const std::vector<LinkKinematics>& links,
                      const std::vector<ArticulatedInertia>& inertias,
                      const std::vector<Twist>& impulses, Eigen::VectorXd& change);

}  // namespace graspmap
