#pragma once

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// Options of lemke.
struct LemkeOptions {
  int max_pivots = 0;              ///< of an attempt; 0: 50 + 20 n
  double tolerance = 1e-10;        ///< largest natural residual of a solution, times
                                   ///< max(1, max |q_i|)
  double pivot_tolerance = 1e-11;  ///< entries of the pivot column below this, relative to the
                                   ///< column's largest, are taken as zero
  bool keep_history = false;       ///< costs a product with M a pivot
};

/// Lemke's method for the linear complementarity problem 0 <= z orthogonal to M z + q >= 0 (all
/// rows kNonnegative), with an explicit tableau and lexicographic degeneracy resolution
/// (Stewart and Trinkle 2000, section 4): it does not cycle. Rows and columns are scaled alike
/// inside, to a diagonal of one where it is positive, so that masses of very different size do no
/// harm. `z` is set to the solution, refined by one solve with the final basis; else to the best
/// point found, with its residual. Should an attempt end without a solution, it is repeated up to
/// three times: with the tableau recomputed from its basis now and then, and with other covering
/// vectors.
///
/// kSolved: the natural residual is within tolerance * max(1, max |q_i|). kRay: every attempt ended
/// in a secondary ray, which for copositive-plus M proves that no solution exists.
/// kIterationLimit: too many pivots. kStalled: the final basis is too ill-conditioned for the
/// tolerance. kNotFinite: M or q is not. q >= 0: solved by z = 0 without a pivot.
/// Cost: a pivot is n^2 multiply-adds; about n pivots.
Result lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const LemkeOptions& options,
             Eigen::VectorXd& z);

/// The same for a mixed problem: the free unknowns are eliminated, and recovered afterwards (see
/// WithoutFree). Where their block of M is singular, they are exchanged together with complementary
/// pairs, and what is left of them is dropped or split into differences. So each problem with a
/// positive semidefinite M is solved if it has a solution; kRay: it has none, or M is not such and
/// none was found. A problem of free unknowns only is a linear system, solved in no pivots.
Result lemke(const LinearProblem& problem, const LemkeOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap::mcp
