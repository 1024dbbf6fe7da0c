#include "sim/closing/dense_solve.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of different sizes and a zero diagonal, as in a step's system.
Matrix random_matrix(Random& random, int n) {
  Matrix A(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A(i, j) = i == j ? 0.0 : random.uniform(-1.0, 1.0);
    A.row(i) *= std::pow(10.0, random.uniform(-2.0, 2.0));
  }
  return A;
}

}  // namespace

TEST_CASE("elimination agrees with a general factorisation") {
  Random random(1);
  for (int n = 2; n <= 20; ++n) {
    const Matrix A = random_matrix(random, n);
    const Eigen::VectorXd b = Eigen::VectorXd::Unit(n, random.index(n));
    const Eigen::VectorXd expected = A.fullPivLu().solve(b);
    for (const int stride : {row_width(n), n + 5}) {
      INFO(n << " unknowns, rows " << stride << " apart");
      Matrix work = Matrix::Constant(n, stride, 7.0);
      work.leftCols(n) = A;
      Eigen::VectorXd x = b;
      REQUIRE(solve_dense(work.data(), n, stride, x.data()));
      CHECK((x - expected).norm() <= 1e-10 * expected.norm());
      if (stride == n + 5) CHECK(work.rightCols(5) == Matrix::Constant(n, 5, 7.0));
    }
  }
}

TEST_CASE("a singular or non-finite system is refused") {
  Eigen::Vector3d b(1.0, 2.0, 3.0);
  Matrix singular = Matrix::Ones(3, 3);
  CHECK_FALSE(solve_dense(singular.data(), 3, 3, b.data()));
  Matrix poisoned = Matrix::Identity(3, 3);
  poisoned(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(solve_dense(poisoned.data(), 3, 3, b.data()));
}

TEST_CASE("an unknown that is not finite is seen, whichever it is") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (int n = 2; n <= 14; ++n) {
    for (int bad = 0; bad < n; ++bad) {
      Matrix A = Matrix::Constant(n, row_width(n), 1.0);
      A.leftCols(n).diagonal().setConstant(n + 1.0);
      Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
      b[bad] = kInf;
      CHECK_FALSE(solve_dense(A.data(), n, row_width(n), b.data()));
    }
  }
}
