#include "sim/steppers/solve_linear_step.hpp"

#include "sim/steppers/contact_lcp.hpp"

namespace graspmap {

mcp::Result solve_linear_step(const LinearStep& linear, double tolerance, StepSolution& solution,
                              int& unknowns) {
  mcp::Result result = solve_contact_lcp(linear, tolerance, solution, unknowns);
  result.residual = solution_residual(linear, solution).value;
  return result;
}

}  // namespace graspmap
