#pragma once

#include "lab/contact_space/contact_space.hpp"
#include "lab/mcp/linear_problem.hpp"

namespace graspmap {

/// The MLCP of a polyhedral friction cone, Mylapilli and Jain 2017, eq. (43)-(44), and
/// Stewart and Trinkle 2000, eq. (13)-(20) without v and q:
///   M = [X R X^T, E_1; E_2, 0],   q = [X u_free; 0],   p = X^T (p_b, p_n, beta).
/// Unknowns: p_b; by contact p_n and beta_1 ... beta_n_f; by contact sigma. X maps the rows of the
/// space to the bilateral ones, normals and directions: the k-th of n_f is turned by
/// angle_rad + 2 pi k / n_f from t to o.
class PolyhedralFriction {
 public:
  /// `directions` is even, so that the opposite of each is one too.
  PolyhedralFriction(const ContactSpace& space, int directions);

  [[nodiscard]] const mcp::LinearProblem& problem() const { return problem_; }

  /// p of unknowns z.
  [[nodiscard]] Eigen::VectorXd impulses(const Eigen::VectorXd& z) const;

  /// Unknowns near impulses p and the velocities u = u_free + R p: friction by the two directions
  /// beside it, sigma as large as u requires.
  [[nodiscard]] Eigen::VectorXd unknowns(const Eigen::VectorXd& p, const Eigen::VectorXd& u) const;

 private:
  [[nodiscard]] int row_of_normal(int contact) const;

  const ContactSpace& space_;
  int directions_;
  Eigen::MatrixXd X_;  // (n_b + n_c (n_f + 1)) x (n_b + 3 n_c)
  mcp::LinearProblem problem_;
};

}  // namespace graspmap
