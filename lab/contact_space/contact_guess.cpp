#include "lab/contact_space/contact_guess.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/mcp/minimum_norm.hpp"

namespace graspmap {
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

}  // namespace graspmap
