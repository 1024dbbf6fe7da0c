#include "lab/mcp/minimum_norm.hpp"

namespace graspmap::mcp {

MinimumNorm::MinimumNorm() = default;

MinimumNorm::MinimumNorm(const Eigen::MatrixXd& A) : decomposition_(A) {}

void MinimumNorm::compute(const Eigen::MatrixXd& A, double threshold) {
  decomposition_.setThreshold(threshold);
  decomposition_.compute(A);
}

Eigen::VectorXd MinimumNorm::solve(const Eigen::VectorXd& b) const {
  return decomposition_.solve(b);
}

void MinimumNorm::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  x = decomposition_.solve(b);
}

}  // namespace graspmap::mcp
