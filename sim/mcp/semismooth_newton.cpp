#include "sim/mcp/semismooth_newton.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace graspmap::mcp {
namespace {

/// Pivots below this, relative to the largest, count as zero.
constexpr double kSingular = 1e-12;

/// A relative decrease of the merit below this is a stall.
constexpr double kLeastDecrease = 1e-10;

using Options = SemismoothNewtonOptions;
using Workspace = SemismoothNewtonWorkspace;

double merit_of(const Eigen::VectorXd& Phi) { return 0.5 * Phi.squaredNorm(); }

/// dPhi with zero rows that are met replaced by those of the identity: their unknowns keep their
/// values.
void fix_zero_rows(Workspace& work) {
  work.system = work.dPhi;
  for (int i = 0; i < work.Phi.size(); ++i) {
    if (work.Phi[i] == 0.0 && work.dPhi.row(i).isZero(0.0)) work.system(i, i) = 1.0;
  }
}

bool is_regular(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu) {
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > kSingular * pivots.maxCoeff();
}

/// The step where dPhi is singular.
void solve_least_squares(const Options& options, Workspace& work) {
  if (options.regularization > 0.0) {
    work.system.noalias() = work.dPhi.transpose() * work.dPhi;
    work.system.diagonal().array() += options.regularization * work.system.diagonal().maxCoeff();
    work.step = -work.system.ldlt().solve(work.gradient);
    return;
  }
  work.orthogonal.setThreshold(kSingular);
  work.orthogonal.compute(work.system);
  work.step = -work.orthogonal.solve(work.Phi);
}

/// Newton's step, or minus the gradient where that does not descend. Returns the slope of the merit
/// along it.
double find_step(const Options& options, Workspace& work) {
  work.gradient.noalias() = work.dPhi.transpose() * work.Phi;
  fix_zero_rows(work);
  work.lu.compute(work.system);
  if (is_regular(work.lu)) {
    work.step = work.lu.solve(work.Phi);
    work.step = -work.step;
  } else {
    solve_least_squares(options, work);
  }
  constexpr double kLeastDescent = 1e-10;
  const double slope = work.gradient.dot(work.step);
  if (slope < -kLeastDescent * work.gradient.norm() * work.step.norm()) return slope;
  work.step = -work.gradient;
  return -work.gradient.squaredNorm();
}

/// Halves the step until the merit falls enough; then z, F and Phi are those after it. Returns its
/// length, 0 when there is none (z is unchanged, F and Phi are not).
double search_line(Problem& problem, const Options& options, double merit, double slope,
                   Eigen::VectorXd& z, Workspace& work) {
  for (double t = 1.0; t >= options.least_step; t *= 0.5) {
    work.trial = z + t * work.step;
    problem.evaluate(work.trial, work.F);
    reformulate(problem, options.function, options.penalty, work.trial, work.F, work.Phi);
    if (!(merit_of(work.Phi) <= merit + options.armijo * t * slope)) continue;
    z.swap(work.trial);
    return t;
  }
  return 0.0;
}

void evaluate(Problem& problem, const Options& options, const Eigen::VectorXd& z, Workspace& work) {
  problem.evaluate(z, work.F);
  reformulate(problem, options.function, options.penalty, z, work.F, work.Phi);
}

/// One iteration from z, where F and Phi are known. Returns the length of the step, 0 when none
/// lowers the merit.
double iterate(Problem& problem, const Options& options, Eigen::VectorXd& z, Workspace& work) {
  problem.jacobian(z, work.J);
  reformulate_jacobian(problem, options.function, options.penalty, z, work.F, work.J, work.dPhi);
  const double merit = merit_of(work.Phi);
  const double slope = find_step(options, work);
  double length = search_line(problem, options, merit, slope, z, work);
  if (length == 0.0) {
    work.step = -work.gradient;
    length = search_line(problem, options, merit, -work.gradient.squaredNorm(), z, work);
  }
  if (length == 0.0) evaluate(problem, options, z, work);
  return length;
}

}  // namespace

Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z, SemismoothNewtonWorkspace& work) {
  const int n = problem.size();
  work.F.resize(n);
  work.J.resize(n, n);
  evaluate(problem, options, z, work);
  Result result;
  result.residual = natural_residual(problem, z, work.F);
  if (!std::isfinite(result.residual)) {
    result.status = Status::kNotFinite;
    return result;
  }
  while (result.residual > options.tolerance) {
    if (result.iterations == options.max_iterations) return result;
    const double merit = merit_of(work.Phi);
    const double length = iterate(problem, options, z, work);
    if (length == 0.0 || merit_of(work.Phi) > (1.0 - kLeastDecrease) * merit) {
      result.status = Status::kStalled;
      return result;
    }
    ++result.iterations;
    result.residual = natural_residual(problem, z, work.F);
    if (options.keep_history) {
      result.history.push_back({result.residual, merit_of(work.Phi), length, 0.0});
    }
  }
  result.status = Status::kSolved;
  return result;
}

Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z) {
  SemismoothNewtonWorkspace work;
  return solve_semismooth_newton(problem, options, z, work);
}

}  // namespace graspmap::mcp
