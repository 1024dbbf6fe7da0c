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

}  // namespace graspmap::mcp
