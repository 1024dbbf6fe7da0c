#include "lab/planar/linear/solve_linear_step.hpp"

#include "lab/planar/linear/contact_lcp.hpp"
#include "lab/planar/linear/contact_qp.hpp"

namespace graspmap {

mcp::Result solve_linear_step(const LinearStep& linear, double tolerance, StepSolution& solution,
                              int& unknowns) {
  mcp::Result result =
      solve_contact_lcp(linear, FrictionLaw::kCoulomb, tolerance, solution, unknowns);
  result.residual = solution_residual(linear, solution).value;
  if (result.status == mcp::Status::kSolved || linear.geometric.size() > 0) return result;
  StepSolution by_qp;
  int qp_unknowns = 0;
  const mcp::Result qp_result = solve_coulomb_by_qp(linear, tolerance, by_qp, qp_unknowns);
  if (qp_result.status != mcp::Status::kSolved && qp_result.residual >= result.residual) {
    return result;
  }
  solution = by_qp;
  unknowns = qp_unknowns;
  return qp_result;
}

mcp::Result solve_optimisation_step(const LinearStep& linear, double tolerance,
                                    StepSolution& solution, int& unknowns) {
  const mcp::Result result = solve_contact_qp(linear, tolerance, solution, unknowns);
  if (result.status == mcp::Status::kSolved) return result;
  StepSolution by_lemke;
  int lcp_unknowns = 0;
  const mcp::Result lcp_result =
      solve_contact_lcp(linear, FrictionLaw::kOptimisation, tolerance, by_lemke, lcp_unknowns);
  if (lcp_result.status != mcp::Status::kSolved) return result;
  solution = by_lemke;
  unknowns = lcp_unknowns;
  return lcp_result;
}

}  // namespace graspmap
