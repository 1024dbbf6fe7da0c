#pragma once

#include <Eigen/LU>
#include <functional>

#include "lab/mcp/minimum_norm.hpp"
#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// Options of solve_semismooth_newton.
struct SemismoothNewtonOptions {
  ComplementarityFunction function = ComplementarityFunction::kNaturalMap;
  double penalty = 0.95;     ///< lambda of the penalised Fischer-Burmeister function, in (0, 1]
  double tolerance = 1e-10;  ///< largest natural residual of a solution (absolute)
  int max_iterations = 100;
  double armijo = 1e-4;         ///< least fraction of the predicted decrease of the merit
  double least_step = 1e-8;     ///< of the line search; below it the iteration has stalled
  double regularization = 0.0;  ///< where dPhi is singular to working precision: added to the
                                ///< diagonal of dPhi^T dPhi, relative to its largest entry; 0: the
                                ///< minimum-norm least-squares solution
  bool keep_history = false;
  std::function<bool()> is_stopped =
      {};  ///< asked in each iteration; true ends with kIterationLimit
};

/// Memory that solves of one size share, so that they allocate (almost) nothing.
struct SemismoothNewtonWorkspace {
  Eigen::VectorXd F;
  Eigen::VectorXd Phi;
  Eigen::VectorXd gradient;
  Eigen::VectorXd step;
  Eigen::VectorXd trial;
  Eigen::VectorXd trial_F;
  Eigen::VectorXd trial_Phi;
  Eigen::MatrixXd J;
  Eigen::MatrixXd dPhi;
  Eigen::MatrixXd system;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  MinimumNorm minimum_norm;
};

/// Solves `problem` from the start `z` by Newton's method on Phi(z) = 0, one complementarity
/// function phi(z_i, F_i) a row and an element dPhi of its generalised Jacobian, with a line search
/// on the merit 1/2 |Phi|^2 (along minus its gradient where Newton's step does not descend). Steps
/// to where F is not finite are shortened. An unknown of a zero row that is met (the slip of an
/// open contact) keeps its value; a system that is singular otherwise is solved in the
/// least-squares sense.
///
/// The natural map's merit is not differentiable, and a line search would stop at its kinks: with
/// kNaturalMap the merit is that of the Fischer-Burmeister function. The natural map's full step is
/// taken where it halves that merit, elsewhere the Fischer-Burmeister function's step.
///
/// Superlinear near a regular solution. An exact start is solved in no iterations. `z` is set to
/// the last point, which has the least merit.
///
/// kSolved; kIterationLimit; kStalled: no step lowers the merit; kNotFinite: the start is not.
///
/// Cost: an LU factorisation an iteration, or two with kNaturalMap.
Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z);

/// The same with a workspace to be used again.
Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z, SemismoothNewtonWorkspace& work);

}  // namespace graspmap::mcp
