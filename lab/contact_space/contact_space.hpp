#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

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

/// A contact space whose numbers are of order one, and the way back. With s_i = 1/sqrt(r_i), r_i
/// the effective inverse mass of a row (the mean one of the three rows of a contact, so that cones
/// stay circular), and V the largest |s_i u_free_i|:
///   p_i = V s_i p^_i,   u_i = V u^_i / s_i,   R^ = s R s,
/// so that masses, units and velocities do not matter. Bilateral rows that depend on others are
/// left out: a consistent problem does not need them.
struct ScaledContactSpace {
  ContactSpace space;
  std::vector<int> rows;         ///< of the original space, by row
  std::vector<int> left_out;     ///< bilateral rows of the original space
  Eigen::VectorXd impulse_unit;  ///< V s_i by row of the original space
  Eigen::VectorXd speed_unit;    ///< V / s_i, also by row of the original space
};

/// R and u_free are finite, and u_free is not zero.
ScaledContactSpace scaled_contact_space(const ContactSpace& space);

/// Impulses of the original space; zero in rows that are left out.
Eigen::VectorXd unscaled_impulses(const ScaledContactSpace& scaled, const Eigen::VectorXd& p);

/// The largest |u_i| of the bilateral rows that are left out, in scaled units; `u` is of the
/// original space.
double residual_of_left_out(const ScaledContactSpace& scaled, const Eigen::VectorXd& u);

/// The `number`-th impulses from which an iterative solver of a (scaled) contact space may start,
/// or none when there are no more: 0 no impulses; 1 those that stop all contacts which close, as
/// far as the cones allow; then those after ever more sweeps of projected Gauss-Seidel over the
/// contacts.
std::optional<Eigen::VectorXd> contact_guess(const ContactSpace& space, int number);

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
