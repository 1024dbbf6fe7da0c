#pragma once

#include "lab/mcp/problem.hpp"
#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// The optimisation variant of a linear step without geometric terms,
/// Hart and Anitescu 2003, eq. (2.10): n^T v + gap/h - mu lambda >= 0 with lambda = |v_t|. In the
/// plane this is the strictly convex program of (n + mu t)^T v + gap/h >= 0 and
/// (n - mu t)^T v + gap/h >= 0 with multipliers x+ and x-: p_n = x+ + x-, p_t = mu (x+ - x-).
/// Contacts lift by mu |v_t| h when they slip. Cost: 10 to 25 sparse factorisations for any number
/// of contacts; with tables, whose slip multiplier has no mass, that many a proximal-point
/// iteration. The residual is the program's; statuses as of mcp::solve_convex_qp. `unknowns` is
/// set to the number of velocities and multipliers.
mcp::Result solve_contact_qp(const LinearStep& step, double tolerance, StepSolution& solution,
                             int& unknowns);

/// Coulomb's law proper, (2.9), as a fixed point of the optimisation variant: the gap of the next
/// program is larger by mu lambda of the last one. The residual is `solution_residual`;
/// kIterationLimit when it does not fall below the tolerance.
mcp::Result solve_coulomb_by_qp(const LinearStep& step, double tolerance, StepSolution& solution,
                                int& unknowns);

}  // namespace graspmap
