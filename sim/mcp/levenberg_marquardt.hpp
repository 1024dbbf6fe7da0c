#pragma once

#include "sim/mcp/complementarity_functions.hpp"
#include "sim/mcp/problem.hpp"

namespace graspmap::mcp {

/// Options of the regular method; the constants are those of 001_3b52919ccc707bb1.txt section 2.
struct RegularLmOptions {
  ComplementarityFunction function = ComplementarityFunction::kPenalisedFischerBurmeister;
  double penalty = 0.95;
  double tolerance = 1e-10;        ///< largest natural residual of a solution (absolute)
  double merit_tolerance = 1e-30;  ///< stop when 1/2 |Phi|^2 is below
  double relative_step = 1e-14;    ///< or when the step is that small
  int max_iterations = 100;
  double initial_damping = 1e-3;
  double damping_factor = 20.0;
  double least_damping = 1e-25;
  double poor_ratio = 0.3;  ///< actual over predicted decrease below which lambda grows
  double good_ratio = 0.8;  ///< above which lambda shrinks
  bool keep_history = false;
};

/// Regular Levenberg-Marquardt on 1/2 |Phi|^2 (001_3b52919ccc707bb1.txt, RLM): the step solves
/// (J^T J + lambda I) dx = -J^T Phi and is accepted when the merit falls.
Result solve_regular_lm(Problem& problem, const RegularLmOptions& options, Eigen::VectorXd& z);

struct ProjectedLmOptions {
  ComplementarityFunction function = ComplementarityFunction::kPenalisedFischerBurmeister;
  double penalty = 0.95;
  double tolerance = 1e-10;
  double merit_tolerance = 1e-30;
  double relative_step = 1e-14;
  int max_iterations = 100;
  double damping = 1e-16;  ///< lambda, constant
  double armijo = 1e-4;
  int memory = 10;   ///< of the non-monotone line search
  int watchdog = 5;  ///< iterations without progress before it turns monotone
  double least_step = 1e-10;
  bool keep_history = false;
};

/// The paper's PLM: the step is the least-squares solution of [J; sqrt(lambda) I] dx = [-Phi; 0],
/// its length from a non-monotone line search with a watchdog that falls back to a monotone one.
/// (Nothing is projected: the unknowns are free.)
Result solve_projected_lm(Problem& problem, const ProjectedLmOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap::mcp
