#pragma once

#include "lab/mcp/semismooth_newton.hpp"
#include "lab/spatial/implicit_problem.hpp"

namespace graspmap {

/// Solves a step in which contacts open that rolled or stuck until now. There p_n, sigma and
/// 1 - |u|^2 vanish together, u is any unit vector, and Newton's method hardly moves. Contacts that
/// carry next to nothing at `z`, where it stopped, are taken without friction; when they are open
/// in that solution their friction has no effect, and u and sigma follow from the slip. `z` is the
/// solution of the step's own equations then; else it stays as it is.
mcp::Result solve_lift_off(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, SpatialStepProblem& problem,
                           const mcp::SemismoothNewtonOptions& options, Eigen::VectorXd& z);

}  // namespace graspmap
