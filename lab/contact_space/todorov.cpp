#include "lab/contact_space/todorov.hpp"

namespace graspmap {

TodorovImpulse todorov_impulse(const Eigen::Vector3d& z, double mu) {
  TodorovImpulse impulse;
  if (z[0] >= 0.0) return impulse;
  const double F_n = -z[0];
  const Eigen::Vector2d z_t = z.tail<2>();
  const double length = z_t.norm();
  impulse.F[0] = F_n;
  impulse.dF_dz(0, 0) = -1.0;
  if (length <= mu * F_n) {
    impulse.F.tail<2>() = -z_t;
    impulse.dF_dz.bottomRightCorner<2, 2>() = -Eigen::Matrix2d::Identity();
    return impulse;
  }
  const double s = mu * F_n / length;
  const Eigen::Vector2d e = z_t / length;
  impulse.F.tail<2>() = -s * z_t;
  impulse.dF_dz.bottomLeftCorner<2, 1>() = mu * e;
  impulse.dF_dz.bottomRightCorner<2, 2>() = -s * (Eigen::Matrix2d::Identity() - e * e.transpose());
  return impulse;
}

Eigen::VectorXd TodorovProblem::impulses(const Eigen::VectorXd& z) const {
  Eigen::VectorXd p = z;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    p.segment<3>(row) = todorov_impulse(z.segment<3>(row), space_.mu[i]).F;
  }
  return p;
}

void TodorovProblem::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& Phi) {
  const Eigen::VectorXd p = impulses(z);
  const auto n_u = 3 * space_.contacts();
  Phi = space_.u_free + space_.R * p;
  Phi.tail(n_u) -= p.tail(n_u) + z.tail(n_u);
}

void TodorovProblem::jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) {
  const auto n_u = 3 * space_.contacts();
  J = space_.R;
  J.bottomRightCorner(n_u, n_u).diagonal().array() -= 1.0;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    const Eigen::Matrix3d dF_dz = todorov_impulse(z.segment<3>(row), space_.mu[i]).dF_dz;
    J.middleCols<3>(row) = (J.middleCols<3>(row) * dF_dz).eval();
  }
  J.bottomRightCorner(n_u, n_u).diagonal().array() -= 1.0;
}

Eigen::VectorXd TodorovProblem::unknowns(const Eigen::VectorXd& p, const Eigen::VectorXd& u) const {
  const auto n_u = 3 * space_.contacts();
  Eigen::VectorXd z = p;
  z.tail(n_u) = u.tail(n_u) - p.tail(n_u);
  return z;
}

}  // namespace graspmap
