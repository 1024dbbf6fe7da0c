#pragma once

#include "lab/contact_space/contact_space.hpp"
#include "lab/mcp/problem.hpp"

namespace graspmap {

/// Impulse of a contact as a function of Todorov's variable, (n, t, o), and its Jacobian.
struct TodorovImpulse {
  Eigen::Vector3d F = Eigen::Vector3d::Zero();
  Eigen::Matrix3d dF_dz = Eigen::Matrix3d::Zero();
};

/// Mylapilli and Jain 2017, eq. (49)-(50): F_n = max(0, -z_n), F_t = -s z_t with
/// s = min(1, mu F_n / |z_t|), and the velocity is F + z: Coulomb's law holds between them for any
/// z. The Jacobian is eq. (59) with the slips of its print corrected (rows and columns n, t, o); at
/// a kink it is that of one side.
TodorovImpulse todorov_impulse(const Eigen::Vector3d& z, double mu);

/// The MNCP of the circular cone in Todorov's variable, Mylapilli and Jain 2017, eq. (55)-(58):
/// unknowns p_b and, by contact, z = (z_n, z_t, z_o), all free;
///   0 = u_free_b + R_bb p_b + R_bu F(z)
///   0 = u_free_u + R_ub p_b + (R_uu - I) F(z) - z.
/// Since z is both velocity and impulse, the space is a scaled one. Refers to `space`, which must
/// outlive it.
class TodorovProblem : public mcp::Problem {
 public:
  explicit TodorovProblem(const ContactSpace& space) : space_(space) {}

  [[nodiscard]] int size() const override { return static_cast<int>(space_.u_free.size()); }
  [[nodiscard]] mcp::Kind kind(int /*i*/) const override { return mcp::Kind::kFree; }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& Phi) override;
  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override;

  /// p of unknowns z: p_b and F(z).
  [[nodiscard]] Eigen::VectorXd impulses(const Eigen::VectorXd& z) const;

  /// Unknowns at impulses p and velocities u: p_b and u - p.
  [[nodiscard]] Eigen::VectorXd unknowns(const Eigen::VectorXd& p, const Eigen::VectorXd& u) const;

 private:
  const ContactSpace& space_;
};

}  // namespace graspmap
