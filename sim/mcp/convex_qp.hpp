#pragma once

#include <Eigen/SparseCore>

#include "sim/mcp/problem.hpp"

namespace graspmap::mcp {

/// Minimise 1/2 v^T M v - c^T v subject to A v + b >= 0 and E v + e = 0, with M diagonal and
/// positive: n unknowns, m inequalities, k equalities.
struct ConvexQp {
  Eigen::VectorXd M;              ///< diagonal, n
  Eigen::VectorXd c;              ///< n
  Eigen::SparseMatrix<double> A;  ///< m x n
  Eigen::VectorXd b;              ///< m
  Eigen::SparseMatrix<double> E;  ///< k x n; 0 x n without equalities
  Eigen::VectorXd e;              ///< k
};

struct ConvexQpOptions {
  double tolerance = 1e-10;  ///< largest residual of stationarity, feasibility and complementarity
                             ///< (absolute: scale the problem)
  int max_iterations = 100;
  bool keep_history = false;
};

/// Unknowns and multipliers: M v - c = A^T x + E^T y, 0 <= x orthogonal to A v + b >= 0.
struct ConvexQpPoint {
  Eigen::VectorXd v;  ///< n
  Eigen::VectorXd x;  ///< m, >= 0
  Eigen::VectorXd y;  ///< k
};

/// Mehrotra's predictor-corrector interior-point method with a sparse Cholesky factorisation of
/// M + A^T D A (and of the Schur complement of the equalities). v is unique; where multipliers are
/// not (redundant rows), those returned are near the middle of their set. Cost: 10 to 25
/// factorisations. kInfeasible when the primal residual cannot fall.
Result solve_convex_qp(const ConvexQp& qp, const ConvexQpOptions& options, ConvexQpPoint& point);

}  // namespace graspmap::mcp
