#pragma once

#include <functional>

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// Options of the regular method; the constants are those of Mylapilli and Jain 2017, section 5.1.
/// Its penalty is not printed; relative_step and max_iterations are ours, since the merit cannot
/// fall below merit_tolerance where unknowns are larger than about one. So is memory: with 1, as
/// printed, the method creeps along the kinks of Phi with ever rejected steps.
struct RegularLmOptions {
  ComplementarityFunction function = ComplementarityFunction::kPenalisedFischerBurmeister;
  double penalty = 0.95;
  double tolerance = 1e-10;        ///< largest natural residual of a solution (absolute)
  double merit_tolerance = 1e-30;  ///< stop when 1/2 |Phi|^2 is below
  double relative_step = 1e-14;    ///< or when |dx| is below this times |x|
  int max_iterations = 100;        ///< accepted and rejected steps
  double initial_damping = 1e-3;
  double damping_factor = 20.0;
  double least_damping = 1e-25;
  double poor_ratio = 0.3;  ///< actual over predicted decrease below which lambda grows
  double good_ratio = 0.8;  ///< above which lambda shrinks
  int memory = 10;  ///< a step's decrease is from the largest of so many merits; 1: the paper
  bool keep_history = false;
  std::function<bool()> is_stopped =
      {};  ///< asked in each iteration; true ends with kIterationLimit
};

/// Regular Levenberg-Marquardt on 1/2 |Phi|^2 (Mylapilli and Jain 2017, section 5.1, RLM): the step
/// solves (dPhi^T dPhi + lambda I) dx = -dPhi^T Phi and is accepted when the merit falls below the
/// largest of the last `memory` ones, as in the line search that the paper gives PLM. (The paper
/// lacks the minus, and compares with the last merit only.) `z` is set to the best point. It goes
/// on to merit_tolerance or relative_step, beyond `tolerance`, which decides the status only:
/// kSolved; kStalled: steps too small, at a stationary point or by damping; kIterationLimit;
/// kNotFinite: the start is not. In the history a rejected step has the length 0.
Result solve_regular_lm(Problem& problem, const RegularLmOptions& options, Eigen::VectorXd& z);

/// Options of the projected method; lambda and the merit's tolerance are those of
/// Mylapilli and Jain 2017, section 5.2, which leaves the line search open.
struct ProjectedLmOptions {
  ComplementarityFunction function = ComplementarityFunction::kPenalisedFischerBurmeister;
  double penalty = 0.95;
  double tolerance = 1e-10;        ///< largest natural residual of a solution (absolute)
  double merit_tolerance = 1e-30;  ///< stop when 1/2 |Phi|^2 is below
  double relative_step = 1e-14;    ///< or when |t dx| is below this times |x|
  int max_iterations = 100;
  double damping = 1e-16;     ///< lambda, constant
  double armijo = 1e-4;       ///< least fraction of the predicted decrease of the merit
  int memory = 10;            ///< merits of the non-monotone line search, >= 1
  int watchdog = 5;           ///< iterations without a new least merit before it turns monotone
  double least_step = 1e-10;  ///< of the line search
  bool keep_history = false;
};

/// The paper's PLM (section 5.2): the step is the least-squares solution of
/// [dPhi; sqrt(lambda) I] dx = [-Phi; 0], its length from a non-monotone line search, whose
/// watchdog goes back to the best point and on with a monotone one. (Nothing is projected: the
/// unknowns are free.) `z` is set to the best point. Statuses as those of `solve_regular_lm`;
/// kStalled also when no step length is found.
Result solve_projected_lm(Problem& problem, const ProjectedLmOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap::mcp
