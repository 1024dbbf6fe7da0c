#include "lab/contact_space/contact_space.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <optional>

#include "lab/contact_space/contact_guess.hpp"
#include "lab/contact_space/polyhedral_friction.hpp"
#include "lab/contact_space/scaled_space.hpp"
#include "lab/contact_space/todorov.hpp"
#include "lab/mcp/lemke.hpp"
#include "lab/mcp/levenberg_marquardt.hpp"

namespace graspmap {
namespace {

/// Impulses of a scaled space, and how they were found.
struct Impulses {
  mcp::Result result;
  Eigen::VectorXd p;
};

Impulses solve_bilateral(const ContactSpace& space, double tolerance) {
  Impulses found{{mcp::Status::kSolved, 0.0, 0, {}}, space.u_free};
  if (space.bilateral == 0) return found;
  found.p = -space.R.partialPivLu().solve(space.u_free);
  found.result.residual = (space.u_free + space.R * found.p).cwiseAbs().maxCoeff();
  const bool solved = found.result.residual <= tolerance;
  found.result.status = solved ? mcp::Status::kSolved : mcp::Status::kStalled;
  return found;
}

Impulses solve_by_pivots(const ContactSpace& space, const ContactSolverSettings& settings) {
  const PolyhedralFriction friction(space, settings.directions);
  mcp::LemkeOptions options;
  options.tolerance = settings.tolerance;
  Eigen::VectorXd z;
  Impulses found;
  found.result = mcp::lemke(friction.problem(), options, z);
  found.p = friction.impulses(z);
  return found;
}

mcp::Result minimise(mcp::Problem& problem, const ContactSolverSettings& settings,
                     Eigen::VectorXd& z) {
  const bool is_regular =
      settings.solver == ContactSolver::kMlcpPfbRlm || settings.solver == ContactSolver::kMncpRlm;
  if (is_regular) {
    mcp::RegularLmOptions options;
    options.penalty = settings.penalty;
    options.tolerance = settings.tolerance;
    return mcp::solve_regular_lm(problem, options, z);
  }
  mcp::ProjectedLmOptions options;
  options.penalty = settings.penalty;
  options.tolerance = settings.tolerance;
  return mcp::solve_projected_lm(problem, options, z);
}

/// Levenberg-Marquardt from one guess after the other, until it is solved; else the best of them.
/// `form` knows unknowns from impulses, and impulses from unknowns; guess(number) is one or none.
template <typename Form, typename Guess>
Impulses solve_from_guesses(const ContactSpace& space, const ContactSolverSettings& settings,
                            mcp::Problem& problem, const Form& form, const Guess& guess) {
  Impulses best;
  best.p = Eigen::VectorXd::Zero(space.u_free.size());
  best.result.residual = std::numeric_limits<double>::infinity();
  int iterations = 0;
  for (int number = 0; best.result.status != mcp::Status::kSolved; ++number) {
    const auto p = guess(number);
    if (!p) break;
    Eigen::VectorXd z = form.unknowns(*p, space.u_free + space.R * *p);
    const mcp::Result result = minimise(problem, settings, z);
    iterations += result.iterations;
    if (result.residual < best.result.residual) best = {result, form.impulses(z)};
  }
  best.result.iterations = iterations;
  return best;
}

Impulses solve_scaled(const ContactSpace& space, const ContactSolverSettings& settings) {
  if (space.contacts() == 0) return solve_bilateral(space, settings.tolerance);
  if (settings.solver == ContactSolver::kMlcpLemke) return solve_by_pivots(space, settings);
  const auto guess = [&](int number) { return contact_guess(space, number); };
  if (is_polyhedral(settings.solver)) {
    const PolyhedralFriction friction(space, settings.directions);
    mcp::LinearProblemView problem(friction.problem());
    return solve_from_guesses(space, settings, problem, friction, guess);
  }
  // The last start: the impulses of a polyhedral cone; in a plane they are exact.
  bool has_pivoted = false;
  const auto guess_of_cones = [&](int number) -> std::optional<Eigen::VectorXd> {
    auto p = guess(number);
    if (p || has_pivoted) return p;
    has_pivoted = true;
    return solve_by_pivots(space, settings).p;
  };
  TodorovProblem problem(space);
  return solve_from_guesses(space, settings, problem, problem, guess_of_cones);
}

int unknowns(const ContactSpace& space, const ContactSolverSettings& settings) {
  const int a_contact = is_polyhedral(settings.solver) ? settings.directions + 2 : 3;
  return space.bilateral + a_contact * space.contacts();
}

/// Nothing moves: there is nothing to solve.
bool is_trivial(const ContactSpace& space) {
  return space.u_free.size() == 0 || space.u_free.isZero(0.0);
}

}  // namespace

const char* name(ContactSolver solver) {
  switch (solver) {
    case ContactSolver::kMlcpLemke:
      return "mlcp-lemke";
    case ContactSolver::kMlcpPfbRlm:
      return "mlcp-pfb-rlm";
    case ContactSolver::kMlcpPfbPlm:
      return "mlcp-pfb-plm";
    case ContactSolver::kMncpRlm:
      return "mncp-rlm";
    case ContactSolver::kMncpPlm:
      break;
  }
  return "mncp-plm";
}

bool is_polyhedral(ContactSolver solver) {
  return solver != ContactSolver::kMncpRlm && solver != ContactSolver::kMncpPlm;
}

ContactSpaceSolution solve_contact_space(const ContactSpace& space,
                                         const ContactSolverSettings& settings) {
  ContactSpaceSolution solution;
  solution.p = Eigen::VectorXd::Zero(space.u_free.size());
  solution.u = space.u_free;
  solution.unknowns = unknowns(space, settings);
  if (!space.R.allFinite() || !space.u_free.allFinite() || !space.mu.allFinite()) {
    solution.status = mcp::Status::kNotFinite;
    solution.residual = std::numeric_limits<double>::infinity();
    return solution;
  }
  if (is_trivial(space)) {
    solution.status = mcp::Status::kSolved;
    return solution;
  }
  const ScaledContactSpace scaled_space = scaled_contact_space(space);
  const Impulses found = solve_scaled(scaled_space.space, settings);
  solution.p = unscaled_impulses(scaled_space, found.p);
  solution.u = space.u_free + space.R * solution.p;
  const double left_out = residual_of_left_out(scaled_space, solution.u);
  solution.residual = std::max(found.result.residual, left_out);
  solution.status = found.result.status;
  if (solution.status == mcp::Status::kSolved && left_out > settings.tolerance) {
    solution.status = mcp::Status::kInfeasible;
  }
  solution.iterations = found.result.iterations;
  return solution;
}

}  // namespace graspmap
