#pragma once

#include <Eigen/SparseCore>

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// Minimise 1/2 v^T M v - c^T v subject to A v + b >= 0 and E v + e = 0, with M diagonal and
/// positive: n unknowns, m inequalities, k equalities. Matrices are compressed; an empty one (0 x
/// 0) stands for no rows.
struct ConvexQp {
  Eigen::VectorXd M;              ///< diagonal, n
  Eigen::VectorXd c;              ///< n
  Eigen::SparseMatrix<double> A;  ///< m x n
  Eigen::VectorXd b;              ///< m
  Eigen::SparseMatrix<double> E;  ///< k x n
  Eigen::VectorXd e;              ///< k
};

/// Options of solve_convex_qp.
struct ConvexQpOptions {
  double tolerance = 1e-10;  ///< largest residual of a solution, in the scaled problem
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
/// M + A^T D A, whose pattern is analysed once, and of the (dense) Schur complement of the
/// equalities. v is unique; where multipliers are not (redundant rows), those returned are near the
/// middle of their set.
///
/// Scaling: it works with M^(1/2) v, with the rows of A M^(-1/2) and E M^(-1/2) divided by their
/// lengths, and with everything divided by the largest entry of what c, b and e become. In a time
/// step that is: velocities in units of the largest M^(1/2) v or violation. So masses, step lengths
/// and units do not matter. Result.residual is that of the scaled problem, the largest of
/// |M v - c - A^T x - E^T y|, |min(x, A v + b)| and |E v + e|.
///
/// kSolved: the residual is within the tolerance. kInfeasible: multipliers were found that prove
/// that no v of less than about 1e8 in the scaled problem satisfies the constraints. kStalled: the
/// residual does not fall any more. kIterationLimit. kNotFinite: data are not, or an M is not
/// positive. `point` is the best one found, whose residual the history holds.
/// Cost: 10 to 25 factorisations. Without inequalities one is enough.
Result solve_convex_qp(const ConvexQp& qp, const ConvexQpOptions& options, ConvexQpPoint& point);

}  // namespace graspmap::mcp
