#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "lab/mcp/problem.hpp"
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

/// Kinds of mixed problems whose free unknowns have a singular block, mostly.
enum class Family {
  kSemidefinite,  ///< M of a low rank, symmetric or with a skew part of a low rank
  kProgram,       ///< a linear or convex quadratic program with equations: a block of zeros
  kRepeated,      ///< rows and columns that are there several times, free and not
  kIndefinite     ///< any M, with a free block of a low rank
};
constexpr std::array kMonotoneFamilies{Family::kSemidefinite, Family::kProgram, Family::kRepeated};

/// Has 2 to 13 unknowns; entries are whole numbers in half of them; an eighth of the pairs of the
/// solution that it is made from is (0, 0).
inline mcp::LinearProblem solvable_mixed_problem(Random& random, Family family) {
  const int n = 2 + random.index(12);
  const int free = 1 + random.index(n);
  const bool is_whole = random.index(2) == 0;
  const auto matrix = [&](int rows, int columns) {
    const Eigen::MatrixXd A = random_matrix(random, rows, columns);
    return is_whole ? Eigen::MatrixXd((3.0 * A).array().round()) : A;
  };
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(random.index(i + 1))]);
  }
  const std::vector<int> f(order.begin(), order.begin() + free);
  const std::vector<int> c(order.begin() + free, order.end());
  mcp::LinearProblem problem{matrix(n, n), {}, {}};
  problem.kinds.assign(static_cast<std::size_t>(n), mcp::Kind::kNonnegative);
  for (const int i : f) problem.kinds[static_cast<std::size_t>(i)] = mcp::Kind::kFree;
  const Eigen::MatrixXd A = matrix(n, 1 + random.index(n));
  if (family == Family::kSemidefinite) {
    problem.M = A * A.transpose();
    const Eigen::MatrixXd B = matrix(n, 2);
    const Eigen::MatrixXd skew = B.col(0) * B.col(1).transpose();
    if (random.index(2) == 0) problem.M += skew - skew.transpose();
  } else if (family == Family::kProgram) {
    const Eigen::MatrixXd equations = problem.M(f, c);
    problem.M.setZero();
    if (random.index(2) == 0) problem.M(c, c) = (A * A.transpose())(c, c);
    problem.M(f, c) = equations;
    problem.M(c, f) = -equations.transpose();
  } else if (family == Family::kRepeated) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(n, A.cols());
    for (int i = 0; i < n; ++i) rows(i, random.index(static_cast<int>(A.cols()))) = 1.0;
    const Eigen::MatrixXd regular = matrix(static_cast<int>(A.cols()), static_cast<int>(A.cols()));
    problem.M = rows * regular * regular.transpose() * rows.transpose();
  } else {
    problem.M(f, f) = matrix(free, 1) * matrix(1, free);
  }
  Eigen::VectorXd z = random_vector(random, n);
  Eigen::VectorXd w = random_vector(random, n).cwiseAbs();
  for (const int i : f) w[i] = 0.0;
  for (const int i : c) {
    if (random.index(8) == 0) z[i] = w[i] = 0.0;
    if (z[i] > 0.0) w[i] = 0.0;
    z[i] = std::max(0.0, z[i]);
  }
  problem.q = w - problem.M * z;
  return problem;
}

}  // namespace graspmap::testing
