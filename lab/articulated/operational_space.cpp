#include "lab/articulated/operational_space.hpp"

#include <array>

namespace graspmap {
namespace {

using Rows = Eigen::Matrix<double, 3, 6>;

/// One end of a pair: what turns its link's motion to three rows.
struct PairEnd {
  std::size_t junction = 0;
  Rows J;
};

struct PairEnds {
  std::array<PairEnd, 2> ends;
  std::size_t count = 1;
};

Rows rows_of(const Mat3& axes, const Vec3& arm_mm) {
  Rows J;
  J.leftCols<3>() = axes;
  J.rightCols<3>() = -axes * cross_matrix(arm_mm);
  return J;
}

/// The motion of a link by its parent's, where nothing else acts on what hangs on it:
/// (1 - H D^-1 H^T P) phi^T.
Mat6 motion_of_parent(const LinkKinematics& link, const ArticulatedInertia& inertia) {
  Mat6 free = Mat6::Identity();
  free -= link.H * (inertia.D_inverse * inertia.PH.transpose());
  free.rightCols<3>() -= free.leftCols<3>() * cross_matrix(link.from_parent_mm);
  return free;
}

}  // namespace

void OperationalSpace::inverse_inertia(const ArticulatedSystem& system,
                                       const std::vector<LinkKinematics>& links,
                                       const std::vector<ArticulatedInertia>& inertias,
                                       const std::vector<NodePair>& pairs,
                                       Eigen::MatrixXd& Lambda) {
  find_junctions(system, pairs);
  sweep(system, links, inertias);
  fill_blocks();
  std::vector<PairEnds> ends(pairs.size());
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    const NodePair& pair = pairs[c];
    ends[c].ends[0] = {static_cast<std::size_t>(junction_of(pair.link_a)),
                       rows_of(pair.axes, pair.arm_a_mm)};
    if (pair.link_b < 0) continue;
    ends[c].ends[1] = {static_cast<std::size_t>(junction_of(pair.link_b)),
                       -rows_of(pair.axes, pair.arm_b_mm)};
    ends[c].count = 2;
  }
  const auto n = static_cast<Eigen::Index>(3 * pairs.size());
  Lambda.resize(n, n);
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    for (std::size_t d = 0; d <= c; ++d) {
      Mat3 sum = Mat3::Zero();
      for (std::size_t a = 0; a < ends[c].count; ++a) {
        for (std::size_t b = 0; b < ends[d].count; ++b) {
          const PairEnd& to = ends[c].ends[a];
          const PairEnd& from = ends[d].ends[b];
          sum += to.J * block(to.junction, from.junction) * from.J.transpose();
        }
      }
      if (c == d) sum = (0.5 * (sum + sum.transpose())).eval();
      const auto row = static_cast<Eigen::Index>(3 * c);
      const auto column = static_cast<Eigen::Index>(3 * d);
      Lambda.block<3, 3>(row, column) = sum;
      Lambda.block<3, 3>(column, row) = sum.transpose();
    }
  }
}

void OperationalSpace::find_junctions(const ArticulatedSystem& system,
                                      const std::vector<NodePair>& pairs) {
  const std::size_t n = system.links.size();
  branches_.assign(n, 0);
  junction_of_link_.assign(n, -1);
  // A link with nodes counts as two branches: it is a junction anyway.
  for (const NodePair& pair : pairs) {
    branches_[static_cast<std::size_t>(pair.link_a)] = 2;
    if (pair.link_b >= 0) branches_[static_cast<std::size_t>(pair.link_b)] = 2;
  }
  for (std::size_t k = n; k-- > 0;) {
    const int parent = system.links[k].parent;
    if (branches_[k] > 0 && parent >= 0) ++branches_[static_cast<std::size_t>(parent)];
  }
  junctions_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    if (branches_[k] < 2) continue;
    junction_of_link_[k] = static_cast<int>(junctions_.size());
    junctions_.emplace_back();
  }
}

void OperationalSpace::sweep(const ArticulatedSystem& system,
                             const std::vector<LinkKinematics>& links,
                             const std::vector<ArticulatedInertia>& inertias) {
  const std::size_t n = links.size();
  upsilon_.resize(n);
  psi_T_.resize(n);
  below_.assign(n, -1);
  blocks_.resize(junctions_.size() * junctions_.size());
  for (std::size_t k = 0; k < n; ++k) {
    if (branches_[k] == 0) continue;  // no node on it or beyond it
    upsilon_[k] = links[k].H * inertias[k].D_inverse * links[k].H.transpose();
    if (system.links[k].parent >= 0) {
      const auto parent = static_cast<std::size_t>(system.links[k].parent);
      psi_T_[k] = motion_of_parent(links[k], inertias[k]);
      upsilon_[k] += psi_T_[k] * upsilon_[parent] * psi_T_[k].transpose();
      if (junction_of_link_[parent] >= 0) {
        below_[k] = junction_of_link_[parent];
      } else if (below_[parent] >= 0) {
        below_[k] = below_[parent];
        psi_T_[k] = (psi_T_[k] * psi_T_[parent]).eval();
      }
    }
    if (junction_of_link_[k] < 0) continue;
    const auto i = static_cast<std::size_t>(junction_of_link_[k]);
    junctions_[i] = {below_[k], psi_T_[k]};
    block(i, i) = upsilon_[k];
  }
}

void OperationalSpace::fill_blocks() {
  for (std::size_t i = 0; i < junctions_.size(); ++i) {
    const Junction& junction = junctions_[i];
    for (std::size_t j = 0; j < i; ++j) {
      // j is not beyond i, since parents come first.
      if (junction.below < 0) {
        block(i, j).setZero();
      } else {
        block(i, j) = junction.psi_T * block(static_cast<std::size_t>(junction.below), j);
      }
      block(j, i) = block(i, j).transpose();
    }
  }
}

}  // namespace graspmap
