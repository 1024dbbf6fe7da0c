#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "lab/mcp/problem.hpp"

namespace graspmap {

/// The contacts and bilateral constraints of a step, seen in their own velocities: with impulses p
///   u = u_free + R p,   R = J M^-1 J^T   (Lambda of Mylapilli and Jain 2017, eq. (43)),
/// rows of J: first the n_b bilateral ones, then (n, t, o) of each of the n_c contacts.
/// Conditions: u = 0 of bilateral rows; 0 <= u_n orthogonal to p_n >= 0; Coulomb friction
/// |(p_t, p_o)| <= mu p_n, against (u_t, u_o) where that is not zero. u_free may hold more than a
/// velocity: gap/h in normal rows (Stewart and Trinkle 2000, eq. (15)), or e u_n^- (Newton's
/// restitution).
struct ContactSpace {
  int bilateral = 0;          ///< n_b
  Eigen::MatrixXd R;          ///< symmetric, positive semidefinite; (n_b + 3 n_c)^2
  Eigen::VectorXd u_free;     ///< n_b + 3 n_c
  Eigen::VectorXd mu;         ///< n_c
  Eigen::VectorXd angle_rad;  ///< n_c: of the first friction direction from t, for the MLCP

  [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
  [[nodiscard]] int row(int contact) const { return bilateral + 3 * contact; }
};

/// The five solvers of Mylapilli and Jain 2017 (Lemke's method in place of PATH): a polyhedral
/// friction cone as MLCP, or the exact one as MNCP in Todorov's variable.
enum class ContactSolver : std::uint8_t {
  kMlcpLemke,
  kMlcpPfbRlm,
  kMlcpPfbPlm,
  kMncpRlm,
  kMncpPlm
};
const char* name(ContactSolver solver);  ///< "mlcp-lemke", "mlcp-pfb-rlm", ...
bool is_polyhedral(ContactSolver solver);

struct ContactSolverSettings {
  ContactSolver solver = ContactSolver::kMncpRlm;
  int directions = 4;        ///< of the polyhedral cone, equally spaced: even, >= 4
  double tolerance = 1e-10;  ///< scaled residual
  double penalty = 0.95;     ///< lambda of the penalised Fischer-Burmeister function
};

struct ContactSpaceSolution {
  mcp::Status status = mcp::Status::kIterationLimit;
  Eigen::VectorXd p;      ///< impulses, in the rows' order
  Eigen::VectorXd u;      ///< u_free + R p
  double residual = 0.0;  ///< natural residual of the problem solved, in scaled units
  int iterations = 0;     ///< pivots of Lemke's method
  int unknowns = 0;       ///< n_b + n_c (n_f + 2), or n_b + 3 n_c
};

/// Solves for the impulses. Deterministic. The residual is that of what was solved: of the
/// polyhedral cone for an MLCP.
ContactSpaceSolution solve_contact_space(const ContactSpace& space,
                                         const ContactSolverSettings& settings);

}  // namespace graspmap
