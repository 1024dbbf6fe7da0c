#pragma once

#include "sim/mcp/linear_problem.hpp"

namespace graspmap::mcp {

struct LemkeOptions {
  int max_pivots = 0;              ///< 0: 50 + 20 n
  double tolerance = 1e-10;        ///< largest natural residual of a solution (absolute)
  double pivot_tolerance = 1e-12;  ///< entries of the pivot column below this, relative to the
                                   ///< column's largest, are taken as zero
  bool keep_history = false;
};

/// Lemke's method for the linear complementarity problem 0 <= z orthogonal to M z + q >= 0 (all
/// rows kNonnegative), with an explicit tableau and lexicographic degeneracy resolution
/// (002_0196e840dcbd01c9.txt section 4): it does not cycle. `z` is set to the solution, refined by
/// one solve with the final basis. kRay: a secondary ray, which for copositive-plus M proves that
/// there is no solution. q >= 0: solved by z = 0 without a pivot. Cost: a pivot is 2 n^2 operations
/// on 2n + 2 columns; about n pivots.
Result lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const LemkeOptions& options,
             Eigen::VectorXd& z);

/// The same for a mixed problem: the free unknowns are eliminated (their block of M must be
/// regular, else kNotFinite), and recovered afterwards.
Result lemke(const LinearProblem& problem, const LemkeOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap::mcp
