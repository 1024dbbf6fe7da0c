#include "lab/articulated/forward_dynamics.hpp"

#include <Eigen/Cholesky>
#include <array>

#include "geometry/assert.hpp"

namespace graspmap {
namespace {

// A joint's inertia below this part of the link's own is rounding.
constexpr double kRegularInertia = 1e-13;

using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

Mat6 rigid_inertia(const Link& link, const LinkKinematics& kinematics) {
  const double m = link.mass_kg;
  const Mat3 c = cross_matrix(kinematics.arm(link.centre_of_mass_mm));
  Mat6 M;
  M.topLeftCorner<3, 3>() = m * Mat3::Identity();
  M.topRightCorner<3, 3>() = -m * c;
  M.bottomLeftCorner<3, 3>() = m * c;
  M.bottomRightCorner<3, 3>() =
      kinematics.R * link.inertia_kg_mm2 * kinematics.R.transpose() - m * c * c;
  return M;
}

/// The force that a link's motion takes without any acceleration of its origin.
Twist gyroscopic_force(const Link& link, const LinkKinematics& kinematics) {
  const Vec3 w = kinematics.velocity.tail<3>();
  const Vec3 w_body = kinematics.R.transpose() * w;
  const Vec3 c = kinematics.arm(link.centre_of_mass_mm);
  Twist force;
  force.head<3>() = link.mass_kg * w.cross(w.cross(c));
  force.tail<3>() =
      w.cross(kinematics.R * (link.inertia_kg_mm2 * w_body)) + c.cross(Vec3(force.head<3>()));
  return force;
}

bool invert_joint_inertia(const LinkKinematics& kinematics, ArticulatedInertia& inertia) {
  const JointMap& H = kinematics.H;
  const auto n = H.cols();
  inertia.PH = inertia.P * H;
  const double linear = inertia.P.diagonal().head<3>().maxCoeff();
  const double angular = inertia.P.diagonal().tail<3>().maxCoeff();
  const auto least = [&](Eigen::Index i) {
    return kRegularInertia * (H.col(i).head<3>().isZero(0.0) ? angular : linear);
  };
  inertia.D_inverse.resize(n, n);
  if (n == 1) {
    const double D = H.col(0).dot(inertia.PH.col(0));
    inertia.D_inverse(0, 0) = 1.0 / D;
    return D > least(0);
  }
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  const Square D = H.transpose() * inertia.PH;
  const Eigen::LLT<Square> factors(D);
  if (factors.info() != Eigen::Success) return false;
  const Square L = factors.matrixL();
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!(L(i, i) * L(i, i) > least(i))) return false;
  }
  inertia.D_inverse.setIdentity(n, n);
  factors.solveInPlace(inertia.D_inverse);
  return true;
}

std::size_t parent_of(const Link& link) { return static_cast<std::size_t>(link.parent); }

}  // namespace

bool articulate(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                std::vector<ArticulatedInertia>& inertias) {
  inertias.resize(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    inertias[k].P = rigid_inertia(system.links[k], links[k]);
  }
  for (std::size_t k = links.size(); k-- > 0;) {
    ArticulatedInertia& inertia = inertias[k];
    if (!invert_joint_inertia(links[k], inertia)) return false;
    if (system.links[k].parent < 0) continue;
    const Mat6 passed = inertia.P - inertia.PH * inertia.D_inverse * inertia.PH.transpose();
    inertias[parent_of(system.links[k])].P += carried_inertia(links[k].from_parent_mm, passed);
  }
  return true;
}

void forward_dynamics(const ArticulatedSystem& system, const CoordinateLayout& layout,
                      const std::vector<LinkKinematics>& links,
                      const std::vector<ArticulatedInertia>& inertias, FreeAcceleration& free) {
  free.nudot.resize(layout.nu_size);
  free.rates.resize(links.size());
  // Tip to base, `rates` holds z: the force on a link that moves with the bias alone.
  std::vector<Twist>& z = free.rates;
  for (std::size_t k = 0; k < links.size(); ++k) z[k] = gyroscopic_force(system.links[k], links[k]);
  for (std::size_t k = links.size(); k-- > 0;) {
    z[k] += inertias[k].P * links[k].bias;
    const SmallVector eps = inertias[k].D_inverse * (links[k].H.transpose() * z[k]);
    free.nudot.segment(layout.nu_begin[k], eps.size()) = -eps;
    if (system.links[k].parent < 0) continue;
    z[parent_of(system.links[k])] +=
        carried_force(links[k].from_parent_mm, z[k] - inertias[k].PH * eps);
  }
  // Base to tip, the ground accelerating against gravity.
  Twist ground = Twist::Zero();
  ground.head<3>() = -system.gravity_mm_s2;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    const Twist with_parent = carried_motion(
        links[k].from_parent_mm, link.parent < 0 ? ground : free.rates[parent_of(link)]);
    auto nudot = free.nudot.segment(layout.nu_begin[k], links[k].H.cols());
    nudot -= inertias[k].D_inverse * (inertias[k].PH.transpose() * with_parent);
    free.rates[k] = with_parent + links[k].H * nudot + links[k].bias;
  }
  for (Twist& rate : free.rates) rate.head<3>() += system.gravity_mm_s2;
  free.coasting.resize(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    free.coasting[k] = links[k].bias;
    if (link.parent >= 0) {
      free.coasting[k] += carried_motion(links[k].from_parent_mm, free.coasting[parent_of(link)]);
    }
  }
}

void impulse_response(const ArticulatedSystem& system, const CoordinateLayout& layout,
                      const std::vector<LinkKinematics>& links,
                      const std::vector<ArticulatedInertia>& inertias,
                      const std::vector<Twist>& impulses, Eigen::VectorXd& change) {
  GRASPMAP_CHECK(inertias.size() == links.size() && impulses.size() == links.size());
  change.resize(layout.nu_size);
  std::vector<Twist> z = impulses;
  for (std::size_t k = links.size(); k-- > 0;) {
    const SmallVector eps = inertias[k].D_inverse * (links[k].H.transpose() * z[k]);
    change.segment(layout.nu_begin[k], eps.size()) = eps;
    if (system.links[k].parent < 0) continue;
    z[parent_of(system.links[k])] +=
        carried_force(links[k].from_parent_mm, z[k] - inertias[k].PH * eps);
  }
  std::vector<Twist>& motions = z;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    auto delta = change.segment(layout.nu_begin[k], links[k].H.cols());
    motions[k].setZero();
    if (link.parent >= 0) {
      motions[k] = carried_motion(links[k].from_parent_mm, motions[parent_of(link)]);
      delta -= inertias[k].D_inverse * (inertias[k].PH.transpose() * motions[k]);
    }
    motions[k] += links[k].H * delta;
  }
}

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
