#pragma once

#include <Eigen/LU>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/mcp/linear_problem.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

inline Eigen::MatrixXd random_matrix(Random& random, int rows, int columns) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1.0, 1.0); });
}

inline Eigen::VectorXd random_vector(Random& random, int n) {
  return Eigen::VectorXd::NullaryExpr(n, [&] { return random.uniform(-1.0, 1.0); });
}

/// A A^T with `rank` columns in A plus a skew part: positive semidefinite.
inline Eigen::MatrixXd random_semidefinite(Random& random, int n, int rank) {
  const Eigen::MatrixXd A = random_matrix(random, n, rank);
  const Eigen::MatrixXd B = random_matrix(random, n, n);
  return A * A.transpose() + B - B.transpose();
}

/// With a symmetric part that is not small in any direction.
inline Eigen::MatrixXd random_definite(Random& random, int n) {
  return random_semidefinite(random, n, n) + 0.1 * Eigen::MatrixXd::Identity(n, n);
}

/// All rows complementary.
inline mcp::LinearProblem complementary_problem(const Eigen::MatrixXd& M,
                                                const Eigen::VectorXd& q) {
  const auto n = static_cast<std::size_t>(q.size());
  return {M, q, std::vector<mcp::Kind>(n, mcp::Kind::kNonnegative)};
}

inline double linear_residual(const mcp::LinearProblem& linear, const Eigen::VectorXd& z) {
  double largest = 0.0;
  const Eigen::VectorXd F = linear.M * z + linear.q;
  for (int i = 0; i < z.size(); ++i) {
    const bool is_free = linear.kinds[static_cast<std::size_t>(i)] == mcp::Kind::kFree;
    keep_largest(largest, std::abs(is_free ? F[i] : std::min(z[i], F[i])));
  }
  return largest;
}

/// The solutions of every one of the 2^n choices of basic unknowns that gives one.
inline std::vector<Eigen::VectorXd> all_solutions(const Eigen::MatrixXd& M,
                                                  const Eigen::VectorXd& q) {
  std::vector<Eigen::VectorXd> solutions;
  const int n = static_cast<int>(q.size());
  for (std::uint32_t choice = 0; choice < (1U << static_cast<unsigned>(n)); ++choice) {
    std::vector<int> basic;
    for (int i = 0; i < n; ++i) {
      if ((choice >> static_cast<unsigned>(i) & 1U) != 0) basic.push_back(i);
    }
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    if (!basic.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(M(basic, basic));
      if (!lu.isInvertible()) continue;
      z(basic) = -lu.solve(q(basic));
    }
    if (z.minCoeff() < 0.0) continue;
    Eigen::VectorXd w = M * z + q;
    w(basic).setZero();
    if (w.minCoeff() >= 0.0) solutions.push_back(z);
  }
  return solutions;
}

}  // namespace graspmap::testing
