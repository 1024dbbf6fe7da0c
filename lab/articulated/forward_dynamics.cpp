#include "lab/articulated/forward_dynamics.hpp"

#include <Eigen/Cholesky>

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

}  // namespace graspmap
