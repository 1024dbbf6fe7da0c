#pragma once

#include <Eigen/QR>

namespace graspmap::mcp {

/// The least-squares solution of A x = b that has the least norm, whatever A's rank. One class for
/// all rooms, in a file of its own: Eigen's templates for it take seconds to compile.
class MinimumNorm {
 public:
  MinimumNorm();
  explicit MinimumNorm(const Eigen::MatrixXd& A);

  /// Pivots below `threshold` times the largest one are zero; without it, below A's rounding.
  void compute(const Eigen::MatrixXd& A, double threshold);
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// The same into memory that is there.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
};

}  // namespace graspmap::mcp
