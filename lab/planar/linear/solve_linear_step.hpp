#pragma once

#include <cstdint>

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

/// The friction law of a slipping contact.
enum class FrictionLaw : std::uint8_t {
  kCoulomb,      ///< n^T v + gap/h >= 0, Hart and Anitescu 2003, eq. (2.9)
  kOptimisation  ///< n^T v + gap/h - mu lambda >= 0, (2.10): the problem is positive semidefinite
};

/// Solves a linear step by Lemke's method: Stewart and Trinkle 2000, eq. (13)-(20) with
/// Hart and Anitescu 2003, eq. (2.11)-(2.12) for pins. Unknowns are nu, the pins' impulses and, for
/// each contact, c_n, beta+, beta- and lambda (in the plane two directions are all of Coulomb's
/// cone; without friction c_n only; with a soft layer the core's impulse besides); for tables beta
/// and lambda. nu and pins are eliminated. Contacts that stay open are left out of the problem:
/// it begins with those that touch or close first, and takes in those that its solution violates,
/// one of a pair of bodies at a time. kRay: Lemke found no solution; other statuses as of
/// mcp::lemke. `unknowns` is set to the size of the last problem.
mcp::Result solve_contact_lcp(const LinearStep& step, FrictionLaw law, double tolerance,
                              StepSolution& solution, int& unknowns);

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
