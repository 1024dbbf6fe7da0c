#include "tests/lab/mcp/siconos/siconos.hpp"

#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/MCP_Solvers.h>
#include <siconos/numerics/MCP_cst.h>
#include <siconos/numerics/MixedComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

#include <algorithm>

namespace graspmap::testing {
namespace {

SiconosResult solve_linear(int solver, Eigen::MatrixXd M, Eigen::VectorXd q) {
  const auto n = static_cast<int>(q.size());
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, n, n, M.data());
  LinearComplementarityProblem problem;
  problem.size = n;
  problem.M = &matrix;
  problem.q = q.data();
  SolverOptions* options = solver_options_create(solver);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  SiconosResult result{false, Eigen::VectorXd::Zero(n)};
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  result.is_solved =
      linearComplementarity_driver(&problem, result.z.data(), w.data(), options) == 0;
  solver_options_delete(options);
  return result;
}

void evaluate(void* problem, int n, double* z, double* F) {
  Eigen::VectorXd value;
  static_cast<mcp::Problem*>(problem)->evaluate(Eigen::Map<Eigen::VectorXd>(z, n), value);
  Eigen::Map<Eigen::VectorXd>(F, n) = value;
}

void differentiate(void* problem, int n, double* z, NumericsMatrix* nabla_F) {
  Eigen::MatrixXd J;
  static_cast<mcp::Problem*>(problem)->jacobian(Eigen::Map<Eigen::VectorXd>(z, n), J);
  Eigen::Map<Eigen::MatrixXd>(nabla_F->matrix0, n, n) = J;
}

}  // namespace

SiconosResult siconos_lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  return solve_linear(SICONOS_LCP_LEMKE, M, q);
}

SiconosResult siconos_newton(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  return solve_linear(SICONOS_LCP_NEWTON_FB_FBLSA, M, q);
}

SiconosResult siconos_newton(mcp::Problem& problem, const Eigen::VectorXd& start) {
  const auto n = static_cast<int>(start.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n);
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, n, n, J.data());
  MixedComplementarityProblem mixed;
  mixed.n1 = 0;
  mixed.n2 = n;
  mixed.compute_Fmcp = evaluate;
  mixed.compute_nabla_Fmcp = differentiate;
  mixed.nabla_Fmcp = &matrix;
  mixed.env = &problem;
  SolverOptions* options = solver_options_create(SICONOS_MCP_NEWTON_FB_FBLSA);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  SiconosResult result{false, start};
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
  result.is_solved = mcp_driver(&mixed, result.z.data(), w.data(), options) == 0;
  solver_options_delete(options);
  return result;
}

}  // namespace graspmap::testing
