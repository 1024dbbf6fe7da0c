#include "lab/mcp/semismooth_newton.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "geometry/assert.hpp"

namespace graspmap::mcp {
namespace {

/// Pivots below this, relative to the largest, count as zero.
constexpr double kSingular = 1e-12;

/// A relative decrease of the merit below this is a stall.
constexpr double kLeastDecrease = 1e-10;

using Options = SemismoothNewtonOptions;
using Workspace = SemismoothNewtonWorkspace;

double merit_of(const Eigen::VectorXd& Phi) { return 0.5 * Phi.squaredNorm(); }

/// The function whose merit the steps must lower: the natural map's merit has kinks that stop a
/// line search.
ComplementarityFunction merit_function(const Options& options) {
  const bool is_natural = options.function == ComplementarityFunction::kNaturalMap;
  return is_natural ? ComplementarityFunction::kFischerBurmeister : options.function;
}

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
  work.minimum_norm.compute(work.system, kSingular);
  work.minimum_norm.solve(work.Phi, work.step);
  work.step = -work.step;
}

/// Newton's step for the function, from z.
void find_step(const Problem& problem, const Options& options, ComplementarityFunction function,
               const Eigen::VectorXd& z, Workspace& work) {
  reformulate(problem, function, options.penalty, z, work.F, work.Phi);
  reformulate_jacobian(problem, function, options.penalty, z, work.F, work.J, work.dPhi);
  work.gradient.noalias() = work.dPhi.transpose() * work.Phi;
  fix_zero_rows(work);
  work.lu.compute(work.system);
  if (is_regular(work.lu)) {
    work.step = work.lu.solve(work.Phi);
    work.step = -work.step;
  } else {
    solve_least_squares(options, work);
  }
}

/// True when z + t step lowers the merit to `limit`: then z and F are those there.
bool try_step(Problem& problem, const Options& options, double t, double limit, Eigen::VectorXd& z,
              Workspace& work) {
  work.trial = z + t * work.step;
  problem.evaluate(work.trial, work.trial_F);
  reformulate(problem, merit_function(options), options.penalty, work.trial, work.trial_F,
              work.trial_Phi);
  if (!(merit_of(work.trial_Phi) <= limit)) return false;
  z.swap(work.trial);
  work.F.swap(work.trial_F);
  return true;
}

/// Halves the step until the merit falls enough. Returns its length, 0 when no length will do.
double search_line(Problem& problem, const Options& options, double merit, Eigen::VectorXd& z,
                   Workspace& work) {
  const double slope = work.gradient.dot(work.step);
  for (double t = 1.0; t >= options.least_step; t *= 0.5) {
    if (try_step(problem, options, t, merit + options.armijo * t * slope, z, work)) return t;
  }
  return 0.0;
}

/// One iteration from z, where F and the merit are known. Returns the length of the step, 0 when
/// none lowers the merit.
double iterate(Problem& problem, const Options& options, double merit, Eigen::VectorXd& z,
               Workspace& work) {
  constexpr double kGoodDecrease = 0.5;
  constexpr double kLeastDescent = 1e-10;
  problem.jacobian(z, work.J);
  if (options.function == ComplementarityFunction::kNaturalMap) {
    find_step(problem, options, options.function, z, work);
    if (try_step(problem, options, 1.0, kGoodDecrease * merit, z, work)) return 1.0;
  }
  find_step(problem, options, merit_function(options), z, work);
  const double steepness = work.gradient.norm() * work.step.norm();
  if (work.gradient.dot(work.step) < -kLeastDescent * steepness) {
    const double length = search_line(problem, options, merit, z, work);
    if (length > 0.0) return length;
  }
  work.step = -work.gradient;
  return search_line(problem, options, merit, z, work);
}

double merit_at(const Problem& problem, const Options& options, const Eigen::VectorXd& z,
                Workspace& work) {
  reformulate(problem, merit_function(options), options.penalty, z, work.F, work.Phi);
  return merit_of(work.Phi);
}

}  // namespace

Result solve_semismooth_newton(Problem& problem, const SemismoothNewtonOptions& options,
                               Eigen::VectorXd& z, SemismoothNewtonWorkspace& work) {
  GRASPMAP_CHECK(z.size() == problem.size());
  GRASPMAP_CHECK(options.penalty > 0.0 && options.penalty <= 1.0);
  Result result;
  work.J.resize(problem.size(), problem.size());
  problem.evaluate(z, work.F);
  result.residual = natural_residual(problem, z, work.F);
  if (!std::isfinite(result.residual)) {
    result.status = Status::kNotFinite;
    return result;
  }
  double merit = merit_at(problem, options, z, work);
  while (result.residual > options.tolerance) {
    if (result.iterations == options.max_iterations) return result;
    if (options.is_stopped && options.is_stopped()) return result;
    const double length = iterate(problem, options, merit, z, work);
    const double before = merit;
    merit = merit_at(problem, options, z, work);
    result.residual = natural_residual(problem, z, work.F);
    if (length > 0.0) ++result.iterations;
    if (options.keep_history && length > 0.0) {
      result.history.push_back({result.residual, merit, length, 0.0});
    }
    if (result.residual > options.tolerance && merit > (1.0 - kLeastDecrease) * before) {
      result.status = Status::kStalled;
      return result;
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
