#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lab/contact_space/contact_space.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// Rows J of bilateral constraints and contacts (n, t, o) on bodies of mass matrix M, free velocity
/// v_free: their contact space.
inline ContactSpace contact_space(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                                  const Eigen::VectorXd& v_free, int bilateral, double mu) {
  ContactSpace space;
  space.bilateral = bilateral;
  space.R = J * M.llt().solve(J.transpose());
  space.u_free = J * v_free;
  const auto contacts = (J.rows() - bilateral) / 3;
  space.mu = Eigen::VectorXd::Constant(contacts, mu);
  space.angle_rad = Eigen::VectorXd::Zero(contacts);
  return space;
}

/// A rigid body with contacts below it, normal up, t along x, o along y. Its velocity is (v, w).
struct BodyOnTable {
  double mass = 1.0;
  Eigen::Vector3d inertia = Eigen::Vector3d::Ones();
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();
  std::vector<Eigen::Vector3d> points;  ///< from its centre of mass
  double mu = 0.0;

  [[nodiscard]] Eigen::MatrixXd M() const {
    Eigen::VectorXd diagonal(6);
    diagonal << Eigen::Vector3d::Constant(mass), inertia;
    return diagonal.asDiagonal();
  }
  [[nodiscard]] Eigen::MatrixXd J() const {
    Eigen::MatrixXd rows(3 * std::ssize(points), 6);
    int row = 0;
    const std::array<Eigen::Vector3d, 3> axes{Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                              Eigen::Vector3d::UnitY()};
    for (const Eigen::Vector3d& r : points) {
      for (const Eigen::Vector3d& axis : axes) {
        rows.row(row++) << axis.transpose(), r.cross(axis).transpose();
      }
    }
    return rows;
  }
  [[nodiscard]] ContactSpace space() const { return contact_space(J(), M(), velocity, 0, mu); }
  [[nodiscard]] Eigen::VectorXd velocity_after(const Eigen::VectorXd& p) const {
    return velocity + M().llt().solve(J().transpose() * p);
  }
};

/// A cube of side 2 on its four lower corners: twelve rows of rank six.
inline BodyOnTable cube_on_table(double mu) {
  BodyOnTable body;
  body.inertia.setConstant(2.0 / 3.0);
  body.mu = mu;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) body.points.emplace_back(x, y, -1.0);
  }
  return body;
}

/// How far impulses are from the law of contact and Coulomb's law of friction, as velocities of
/// effective masses of mean(diag R): 0 <= u_n orthogonal to p_n >= 0, and
/// p_t = Proj(p_t - u_t / r) on the disc of radius mu p_n.
inline double coulomb_residual(const ContactSpace& space, const Eigen::VectorXd& p) {
  const Eigen::VectorXd u = space.u_free + space.R * p;
  double residual = 0.0;
  if (space.bilateral > 0) residual = u.head(space.bilateral).cwiseAbs().maxCoeff();
  for (int k = 0; k < space.contacts(); ++k) {
    const int row = space.row(k);
    const double r = space.R.diagonal().segment<3>(row).mean();
    keep_largest(residual, std::abs(std::min(u[row], r * p[row])));
    const Eigen::Vector2d p_t = p.segment<2>(row + 1);
    Eigen::Vector2d projected = p_t - u.segment<2>(row + 1) / r;
    const double limit = std::max(0.0, space.mu[k] * p[row]);
    if (projected.norm() > limit) projected *= limit / projected.norm();
    keep_largest(residual, r * (p_t - projected).norm());
  }
  return residual;
}

/// A random problem of `contacts` contacts and `bilateral` constraints on `freedoms` coordinates:
/// unique impulses where freedoms >= rows and mu is small.
inline ContactSpace random_space(Random& random, int freedoms, int bilateral, int contacts,
                                 double mu) {
  const int rows = bilateral + 3 * contacts;
  const auto uniform = [&] { return random.uniform(-1.0, 1.0); };
  const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(rows, freedoms, uniform);
  const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(freedoms, freedoms, uniform);
  const Eigen::MatrixXd M = A * A.transpose() + 0.5 * Eigen::MatrixXd::Identity(freedoms, freedoms);
  const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(freedoms, uniform);
  return contact_space(J, M, v, bilateral, mu);
}

}  // namespace graspmap::testing
