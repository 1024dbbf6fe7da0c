#pragma once

#include <Eigen/Core>
#include <vector>

#include "lab/articulated/forward_dynamics.hpp"
#include "lab/articulated/node_pair.hpp"

namespace graspmap {

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
