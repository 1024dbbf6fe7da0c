#pragma once

#include "sim/mcp/complementarity_functions.hpp"
#include "sim/mcp/problem.hpp"

namespace graspmap::mcp {

struct SemismoothNewtonOptions {
  ComplementarityFunction function = ComplementarityFunction::kNaturalMap;
  double penalty = 0.95;     ///< lambda of the penalised Fischer-Burmeister function, in (0, 1]
  double tolerance = 1e-10;  ///< largest natural residual of a solution (absolute)
  int max_iterations = 100;
  double armijo = 1e-4;         ///< least fraction of the predicted decrease of the merit
  double least_step = 1e-8;     ///< of the line search; below it the iteration has stalled
  double regularization = 0.0;  ///< added to the diagonal of J^T J when J is singular to working
                                ///< precision, relative to its largest entry; 0: 1e-14
  bool keep_history = false;
};

/// Solves `problem` from the start `z` by Newton's method on Phi(z) = 0, one complementarity
/// function phi(z_i, F_i) a row and an element of its generalised Jacobian, with a line search on
/// 1/2 |Phi|^2 (a gradient step where Newton's is no descent direction). A singular system is
/// solved in the least-squares sense. Superlinear near a regular solution. An exact start is solved
/// in no iterations.
Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z);

}  // namespace graspmap::mcp
