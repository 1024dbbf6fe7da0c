#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace graspmap::mcp {

/// The kind of an unknown z_i, which decides the condition on its row F_i.
enum class Kind : std::uint8_t {
  kFree,        ///< z_i free:  F_i(z) = 0
  kNonnegative  ///< 0 <= z_i orthogonal to F_i(z) >= 0
};

/// A mixed complementarity problem, definition 2 of Chakraborty et al. 2014: find z such that
/// every row satisfies the condition of its kind. Unknowns and rows should be scaled to be of order
/// one: tolerances of the solvers are absolute.
class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// The number n of unknowns, and of rows.
  [[nodiscard]] virtual int size() const = 0;
  /// The kind of unknown and row i.
  [[nodiscard]] virtual Kind kind(int i) const = 0;

  /// F(z), of size n. Values that are not finite mean that z is outside of F's domain: the solvers
  /// take a shorter step then.
  virtual void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) = 0;

  /// The Jacobian of F at z, n x n, all entries. Called after `evaluate` at the same z.
  virtual void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) = 0;
};

/// The status with which a solver ended.
enum class Status : std::uint8_t {
  kSolved,          ///< the residual is within the tolerance, and everything is finite
  kIterationLimit,  ///< too many iterations
  kStalled,         ///< no further descent: a stationary point of the merit that is no solution
  kRay,             ///< Lemke: a secondary ray, no solution found (none exists for many classes)
  kInfeasible,      ///< a convex program without feasible points
  kNotFinite        ///< the start, or a linear solve, is not finite
};

/// A lower-case word for a status, as printed in messages.
const char* name(Status status);

/// One iteration, as it is kept in a result's history.
struct Iteration {
  double residual = 0.0;     ///< natural residual after it, see `natural_residual`
  double merit = 0.0;        ///< 1/2 |Phi|^2 after it
  double step_length = 0.0;  ///< of the line search; 1 a full step
  double damping = 0.0;      ///< lambda of Levenberg-Marquardt, else 0
};

/// The result of a solver beside the unknowns.
struct Result {
  Status status = Status::kIterationLimit;
  double residual = 0.0;           ///< natural residual at the returned z
  int iterations = 0;              ///< pivots for Lemke
  std::vector<Iteration> history;  ///< filled when the options ask for it
};

/// max_i |F_i| over free rows and |min(z_i, F_i)| over complementary ones; infinity when an entry
/// is not finite. Zero exactly at a solution.
double natural_residual(const Problem& problem, const Eigen::VectorXd& z, const Eigen::VectorXd& F);

/// A mixed linear complementarity problem: F(z) = M z + q, n = q.size() unknowns; kinds[i] is the
/// kind of row i.
struct LinearProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
  std::vector<Kind> kinds;
};

/// The same as a problem for the Newton-type solvers. Refers to `linear`, which must outlive it.
class LinearProblemView : public Problem {
 public:
  explicit LinearProblemView(const LinearProblem& linear) : linear_(linear) {}

  [[nodiscard]] int size() const override { return static_cast<int>(linear_.q.size()); }
  [[nodiscard]] Kind kind(int i) const override {
    return linear_.kinds[static_cast<std::size_t>(i)];
  }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override {
    F = linear_.M * z + linear_.q;
  }
  void jacobian(const Eigen::VectorXd& /*z*/, Eigen::MatrixXd& J) override { J = linear_.M; }

 private:
  const LinearProblem& linear_;
};

/// A function phi(a, b) that vanishes exactly where 0 <= a orthogonal to b >= 0.
enum class ComplementarityFunction : std::uint8_t {
  kNaturalMap,         ///< min(a, b)
  kFischerBurmeister,  ///< a + b - sqrt(a^2 + b^2), Mylapilli and Jain 2017, eq. (5), negated
  kPenalisedFischerBurmeister  ///< lambda (a + b - sqrt(a^2 + b^2)) + (1 - lambda) a+ b+, eq. (8);
                               ///< a+ = max(0, a)
};

/// phi(a, b). `penalty` is lambda, used by the penalised function only.
double value(ComplementarityFunction function, double a, double b, double penalty);

/// (d phi/da, d phi/db).
struct Slopes {
  double a = 0.0;
  double b = 0.0;
};
/// An element of the generalised gradient at (a, b): at the natural map's kink a = b that of a, at
/// a = b = 0 of the others the derivative along (1, 1).
Slopes slopes(ComplementarityFunction function, double a, double b, double penalty);

/// Phi(z): F_i for free rows, phi(z_i, F_i) for complementary ones (the paper's eq. (9) has -F_i in
/// free rows, with the same merit).
void reformulate(const Problem& problem, ComplementarityFunction function, double penalty,
                 const Eigen::VectorXd& z, const Eigen::VectorXd& F, Eigen::VectorXd& Phi);

/// An element of the generalised Jacobian of Phi at z, n x n; J is the Jacobian of F. At kinks
/// (a = b = 0 for the Fischer-Burmeister functions) the one-sided direction of
/// Mylapilli and Jain 2017, eq. (45), is taken, which needs the rows of J.
void reformulate_jacobian(const Problem& problem, ComplementarityFunction function, double penalty,
                          const Eigen::VectorXd& z, const Eigen::VectorXd& F,
                          const Eigen::MatrixXd& J, Eigen::MatrixXd& dPhi);

}  // namespace graspmap::mcp
