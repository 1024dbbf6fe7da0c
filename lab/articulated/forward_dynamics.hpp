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

/// The operational-space inverse inertia Lambda = J M^-1 J^T of Mylapilli and Jain 2017, eq. (43),
/// rows three by three in the order of the pairs. O(N) + O(n_c^2), without M or M^-1: one sweep
/// from base to tip for the links' own blocks Upsilon, then each block of two links from that of
/// one of them and the nearest link towards the base that matters. The object is a workspace; equal
/// input gives equal bits.
class OperationalSpace {
 public:
  void inverse_inertia(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                       const std::vector<ArticulatedInertia>& inertias,
                       const std::vector<NodePair>& pairs, Eigen::MatrixXd& Lambda);

 private:
  /// A link with nodes, or where the ways from such links to the base meet.
  struct Junction {
    int below = -1;  ///< the nearest junction towards the base; -1: none
    Mat6 psi_T;      ///< motion of `below` to motion of this link
  };

  void find_junctions(const ArticulatedSystem& system, const std::vector<NodePair>& pairs);
  void sweep(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
             const std::vector<ArticulatedInertia>& inertias);
  void fill_blocks();
  [[nodiscard]] int junction_of(int link) const {
    return junction_of_link_[static_cast<std::size_t>(link)];
  }
  /// The motion of junction i by an impulse on junction j.
  [[nodiscard]] Mat6& block(std::size_t i, std::size_t j) {
    return blocks_[i * junctions_.size() + j];
  }

  std::vector<int> branches_;          ///< by link: children with nodes in their subtrees, and own
  std::vector<int> junction_of_link_;  ///< -1: none
  std::vector<Junction> junctions_;    ///< in the order of the links
  std::vector<Mat6> upsilon_;          ///< by link
  std::vector<Mat6> psi_T_;            ///< by link: from the nearest junction towards the base
  std::vector<int> below_;             ///< by link: that junction
  std::vector<Mat6> blocks_;
};

}  // namespace graspmap
