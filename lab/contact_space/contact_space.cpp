#include "lab/contact_space/contact_space.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/assert.hpp"
#include "lab/mcp/lemke.hpp"
#include "lab/mcp/levenberg_marquardt.hpp"
#include "lab/mcp/minimum_norm.hpp"

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
  GRASPMAP_CHECK(space.u_free.size() == space.row(space.contacts()));
  GRASPMAP_CHECK(space.R.rows() == space.u_free.size() && space.R.cols() == space.u_free.size());
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

namespace {

/// 1/sqrt(r_i) by row; where nothing can move, that of the largest r.
Eigen::VectorXd mass_scales(const ContactSpace& space) {
  Eigen::VectorXd r = space.R.diagonal();
  for (int k = 0; k < space.contacts(); ++k) {
    r.segment<3>(space.row(k)).setConstant(r.segment<3>(space.row(k)).mean());
  }
  const double largest = r.maxCoeff();
  const double unmoved = largest > 0.0 ? largest : 1.0;
  return r.unaryExpr([&](double x) { return 1.0 / std::sqrt(x > 0.0 ? x : unmoved); });
}

/// Bilateral rows that do not depend on one another, in order.
std::vector<int> independent_bilateral_rows(const Eigen::MatrixXd& R_bb) {
  constexpr double kRounding = 1e-14;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kRounding * static_cast<double>(R_bb.rows()));
  qr.compute(R_bb);
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> rows(order.data(), order.data() + qr.rank());
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

ScaledContactSpace scaled_contact_space(const ContactSpace& space) {
  GRASPMAP_CHECK(space.R.allFinite() && space.u_free.allFinite() && !space.u_free.isZero(0.0));
  const Eigen::VectorXd s = mass_scales(space);
  const double V = s.cwiseProduct(space.u_free).cwiseAbs().maxCoeff();
  const Eigen::MatrixXd R = s.asDiagonal() * space.R * s.asDiagonal();
  const int n_b = space.bilateral;
  ScaledContactSpace scaled;
  if (n_b > 0) scaled.rows = independent_bilateral_rows(R.topLeftCorner(n_b, n_b));
  scaled.space.bilateral = static_cast<int>(scaled.rows.size());
  for (int i = 0; i < n_b; ++i) {
    if (!std::binary_search(scaled.rows.begin(), scaled.rows.end(), i)) {
      scaled.left_out.push_back(i);
    }
  }
  for (int i = n_b; i < s.size(); ++i) scaled.rows.push_back(i);
  scaled.space.R = R(scaled.rows, scaled.rows);
  scaled.space.u_free = s.cwiseProduct(space.u_free)(scaled.rows) / V;
  scaled.space.mu = space.mu;
  scaled.space.angle_rad = space.angle_rad;
  scaled.impulse_unit = V * s;
  scaled.speed_unit = V * s.cwiseInverse();
  return scaled;
}

Eigen::VectorXd unscaled_impulses(const ScaledContactSpace& scaled, const Eigen::VectorXd& p) {
  Eigen::VectorXd unscaled = Eigen::VectorXd::Zero(scaled.impulse_unit.size());
  unscaled(scaled.rows) = scaled.impulse_unit(scaled.rows).cwiseProduct(p);
  return unscaled;
}

double residual_of_left_out(const ScaledContactSpace& scaled, const Eigen::VectorXd& u) {
  double largest = 0.0;
  for (const int i : scaled.left_out) {
    largest = std::max(largest, std::abs(u[i] / scaled.speed_unit[i]));
  }
  return largest;
}

namespace {

/// Normal impulses made non-negative, friction cut to its cone.
void project_to_cone(double mu, Eigen::Ref<Eigen::Vector3d> p) {
  p[0] = std::max(0.0, p[0]);
  const double friction = p.tail<2>().norm();
  if (friction > mu * p[0]) p.tail<2>() *= mu * p[0] / friction;
}

Eigen::VectorXd sticking_guess(const ContactSpace& space) {
  std::vector<int> rows;
  for (int i = 0; i < space.bilateral; ++i) rows.push_back(i);
  for (int k = 0; k < space.contacts(); ++k) {
    if (space.u_free[space.row(k)] >= 0.0) continue;
    for (int i = 0; i < 3; ++i) rows.push_back(space.row(k) + i);
  }
  Eigen::VectorXd p = Eigen::VectorXd::Zero(space.u_free.size());
  if (rows.empty()) return p;
  const Eigen::MatrixXd R = space.R(rows, rows);
  p(rows) = -mcp::MinimumNorm(R).solve(space.u_free(rows));
  for (int k = 0; k < space.contacts(); ++k) {
    project_to_cone(space.mu[k], p.segment<3>(space.row(k)));
  }
  return p;
}

/// One sweep of projected Gauss-Seidel: by row for bilateral rows and normals, by contact for
/// friction.
void sweep(const ContactSpace& space, Eigen::VectorXd& p) {
  const auto u = [&](int row) { return space.u_free[row] + space.R.row(row).dot(p); };
  for (int i = 0; i < space.bilateral; ++i) {
    if (space.R(i, i) > 0.0) p[i] -= u(i) / space.R(i, i);
  }
  for (int k = 0; k < space.contacts(); ++k) {
    const int n = space.row(k);
    if (space.R(n, n) <= 0.0) continue;
    p[n] = std::max(0.0, p[n] - u(n) / space.R(n, n));
    const double R_t = space.R(n + 1, n + 1) + space.R(n + 2, n + 2);
    if (R_t > 0.0) p.segment<2>(n + 1) -= Eigen::Vector2d(u(n + 1), u(n + 2)) / R_t;
    project_to_cone(space.mu[k], p.segment<3>(n));
  }
}

}  // namespace

std::optional<Eigen::VectorXd> contact_guess(const ContactSpace& space, int number) {
  constexpr int kGuesses = 5;
  constexpr int kSweeps = 10;  // of the first guess by sweeps; the next ones have ten times more
  if (number >= kGuesses) return std::nullopt;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(space.u_free.size());
  if (number == 0) return p;
  if (number == 1) return sticking_guess(space);
  const auto sweeps = static_cast<int>(std::lround(kSweeps * std::pow(10.0, number - 2)));
  for (int i = 0; i < sweeps; ++i) sweep(space, p);
  return p;
}

namespace {

double direction_angle(double first, int k, int directions) {
  return first + 2.0 * M_PI * k / directions;
}

/// Weights of the two directions beside (p_t, p_o), which sum to it.
struct Between {
  int first = 0;
  double first_weight = 0.0;
  double second_weight = 0.0;
};

Between directions_beside(double p_t, double p_o, double angle_rad, int directions) {
  const double width = 2.0 * M_PI / directions;
  const double turns = (std::atan2(p_o, p_t) - angle_rad) / (2.0 * M_PI);
  const double angle = 2.0 * M_PI * (turns - std::floor(turns));
  const int first = std::min(static_cast<int>(angle / width), directions - 1);
  const double friction = std::hypot(p_t, p_o) / std::sin(width);
  const double from_first = angle - first * width;
  return {first, std::max(0.0, friction * std::sin(width - from_first)),
          std::max(0.0, friction * std::sin(from_first))};
}

}  // namespace

PolyhedralFriction::PolyhedralFriction(const ContactSpace& space, int directions)
    : space_(space), directions_(directions) {
  GRASPMAP_CHECK(directions >= 4 && directions % 2 == 0);
  GRASPMAP_CHECK(space.angle_rad.size() == space.mu.size());
  const int n_b = space.bilateral;
  const int n_c = space.contacts();
  const int impulses = n_b + n_c * (directions + 1);
  const int size = impulses + n_c;
  X_ = Eigen::MatrixXd::Zero(impulses, space.u_free.size());
  X_.topLeftCorner(n_b, n_b).setIdentity();
  problem_.M = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < n_c; ++i) {
    const int normal = row_of_normal(i);
    const int sigma = impulses + i;
    X_(normal, space.row(i)) = 1.0;
    for (int k = 0; k < directions; ++k) {
      const double angle = direction_angle(space.angle_rad[i], k, directions);
      X_(normal + 1 + k, space.row(i) + 1) = std::cos(angle);
      X_(normal + 1 + k, space.row(i) + 2) = std::sin(angle);
    }
    problem_.M.block(normal + 1, sigma, directions, 1).setOnes();
    problem_.M.block(sigma, normal + 1, 1, directions).setConstant(-1.0);
    problem_.M(sigma, normal) = space.mu[i];
  }
  problem_.M.topLeftCorner(impulses, impulses) = X_ * space.R * X_.transpose();
  problem_.q = Eigen::VectorXd::Zero(size);
  problem_.q.head(impulses) = X_ * space.u_free;
  problem_.kinds.assign(static_cast<std::size_t>(size), mcp::Kind::kNonnegative);
  std::fill_n(problem_.kinds.begin(), n_b, mcp::Kind::kFree);
}

int PolyhedralFriction::row_of_normal(int contact) const {
  return space_.bilateral + contact * (directions_ + 1);
}

Eigen::VectorXd PolyhedralFriction::impulses(const Eigen::VectorXd& z) const {
  return X_.transpose() * z.head(X_.rows());
}

Eigen::VectorXd PolyhedralFriction::unknowns(const Eigen::VectorXd& p,
                                             const Eigen::VectorXd& u) const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(problem_.q.size());
  z.head(space_.bilateral) = p.head(space_.bilateral);
  const Eigen::VectorXd v = X_ * u;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    const int normal = row_of_normal(i);
    const Between between =
        directions_beside(p[row + 1], p[row + 2], space_.angle_rad[i], directions_);
    z[normal] = p[row];
    z[normal + 1 + between.first] = between.first_weight;
    z[normal + 1 + (between.first + 1) % directions_] = between.second_weight;
    z[X_.rows() + i] = std::max(0.0, -v.segment(normal + 1, directions_).minCoeff());
  }
  return z;
}

TodorovImpulse todorov_impulse(const Eigen::Vector3d& z, double mu) {
  TodorovImpulse impulse;
  if (z[0] >= 0.0) return impulse;
  const double F_n = -z[0];
  const Eigen::Vector2d z_t = z.tail<2>();
  const double length = z_t.norm();
  impulse.F[0] = F_n;
  impulse.dF_dz(0, 0) = -1.0;
  if (length <= mu * F_n) {
    impulse.F.tail<2>() = -z_t;
    impulse.dF_dz.bottomRightCorner<2, 2>() = -Eigen::Matrix2d::Identity();
    return impulse;
  }
  const double s = mu * F_n / length;
  const Eigen::Vector2d e = z_t / length;
  impulse.F.tail<2>() = -s * z_t;
  impulse.dF_dz.bottomLeftCorner<2, 1>() = mu * e;
  impulse.dF_dz.bottomRightCorner<2, 2>() = -s * (Eigen::Matrix2d::Identity() - e * e.transpose());
  return impulse;
}

Eigen::VectorXd TodorovProblem::impulses(const Eigen::VectorXd& z) const {
  Eigen::VectorXd p = z;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    p.segment<3>(row) = todorov_impulse(z.segment<3>(row), space_.mu[i]).F;
  }
  return p;
}

void TodorovProblem::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& Phi) {
  const Eigen::VectorXd p = impulses(z);
  const auto n_u = 3 * space_.contacts();
  Phi = space_.u_free + space_.R * p;
  Phi.tail(n_u) -= p.tail(n_u) + z.tail(n_u);
}

void TodorovProblem::jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) {
  const auto n_u = 3 * space_.contacts();
  J = space_.R;
  J.bottomRightCorner(n_u, n_u).diagonal().array() -= 1.0;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    const Eigen::Matrix3d dF_dz = todorov_impulse(z.segment<3>(row), space_.mu[i]).dF_dz;
    J.middleCols<3>(row) = (J.middleCols<3>(row) * dF_dz).eval();
  }
  J.bottomRightCorner(n_u, n_u).diagonal().array() -= 1.0;
}

Eigen::VectorXd TodorovProblem::unknowns(const Eigen::VectorXd& p, const Eigen::VectorXd& u) const {
  const auto n_u = 3 * space_.contacts();
  Eigen::VectorXd z = p;
  z.tail(n_u) = u.tail(n_u) - p.tail(n_u);
  return z;
}

}  // namespace graspmap
