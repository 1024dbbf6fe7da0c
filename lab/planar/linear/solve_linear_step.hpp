#pragma once

#include "lab/mcp/problem.hpp"
#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// Solves a linear step: by Lemke's method, and where that fails (a ray, or lost precision) and
/// there are no geometric terms, by the fixed point of the optimisation variant. The residual is
/// `solution_residual`. On failure the better of the two solutions is returned with its status.
mcp::Result solve_linear_step(const LinearStep& linear, double tolerance, StepSolution& solution,
                              int& unknowns);

/// Solves the optimisation variant of a linear step: as a convex program, and where the
/// interior-point method fails by Lemke's method. The residual is that of the problem solved.
mcp::Result solve_optimisation_step(const LinearStep& linear, double tolerance,
                                    StepSolution& solution, int& unknowns);

}  // namespace graspmap
