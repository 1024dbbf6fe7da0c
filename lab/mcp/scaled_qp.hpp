#pragma once

#include <Eigen/SparseCore>

#include "lab/mcp/convex_qp.hpp"

namespace graspmap::mcp {

/// The scaled form of a convex program: minimise 1/2 |v|^2 - c^T v subject to A v + b >= 0 and
/// E v + e = 0, rows of A and E of length one (or zero), the largest entry of c, b and e one.
struct ScaledQp {
  /// Scales a program.
  explicit ScaledQp(const ConvexQp& qp);

  /// A point of the original program.
  [[nodiscard]] ConvexQpPoint unscaled(const ConvexQpPoint& point) const;

  /// The largest of |v - c - A^T x - E^T y|, |min(x, A v + b)| and |E v + e|.
  [[nodiscard]] double residual(const ConvexQpPoint& point) const;

  Eigen::VectorXd c;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd b;
  Eigen::SparseMatrix<double> E;
  Eigen::VectorXd e;

 private:
  Eigen::VectorXd root_;       // M^(1/2)
  Eigen::VectorXd A_lengths_;  // of the rows of A M^(-1/2)
  Eigen::VectorXd E_lengths_;
  double unit_ = 1.0;
};

}  // namespace graspmap::mcp
