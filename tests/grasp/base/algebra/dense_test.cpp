#include "grasp/base/algebra/dense.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace graspmap {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// det = 4 * 3 - 2 * 2 = 8, trace = 7.
MatrixXd positive() {
  MatrixXd A(2, 2);
  A << 4.0, 2.0, 2.0, 3.0;
  return A;
}

TEST_CASE("a symmetric matrix is what its eigenvalues and eigenvectors make") {
  const SymmetricEigen eigen = symmetric_eigen(positive());
  const double root = std::sqrt(17.0);  // of the characteristic polynomial x^2 - 7 x + 8
  CHECK(eigen.values[0] == Approx((7.0 - root) / 2));
  CHECK(eigen.values[1] == Approx((7.0 + root) / 2));
  CHECK((symmetric_eigenvalues(positive()) - eigen.values).norm() < 1e-14);
  const MatrixXd again = eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose();
  CHECK((again - positive()).norm() < 1e-14);
}

TEST_CASE("Cholesky's root is lower triangular, and its square is the matrix") {
  const MatrixXd L = cholesky_root(positive());
  CHECK(L(0, 0) == 2.0);
  CHECK(L(1, 0) == 1.0);
  CHECK(L(0, 1) == 0.0);
  CHECK(L(1, 1) == Approx(std::sqrt(2.0)));
  const VectorXd x = Eigen::Vector2d(3.0, -1.0);
  CHECK((cholesky_root_times(positive(), x) - L * x).norm() < 1e-15);
  CHECK((solve_lower(L, L) - MatrixXd::Identity(2, 2)).norm() < 1e-15);
}

TEST_CASE("linear systems are solved") {
  const VectorXd x = Eigen::Vector2d(1.0, -2.0);
  const VectorXd b = Eigen::Vector2d(0.0, -4.0);  // A x
  CHECK((solve_positive(positive(), b) - x).norm() < 1e-14);
  CHECK((solve_semidefinite(positive(), b) - x).norm() < 1e-14);
  CHECK((solve_semidefinite(MatrixXd(-positive()), b) + x).norm() < 1e-14);
  const Eigen::VectorXf single =
      solve_semidefinite(Eigen::MatrixXf(positive().cast<float>()), b.cast<float>());
  CHECK((single - x.cast<float>()).norm() < 1e-5F);
  CHECK((inverse_positive(positive()) * b - x).norm() < 1e-14);
}

TEST_CASE("only a positive definite matrix has a root") {
  REQUIRE(root_if_positive(positive()).has_value());
  CHECK(*root_if_positive(positive()) == cholesky_root(positive()));
  CHECK(!root_if_positive(-positive()));
}

TEST_CASE("products of matrices are sums over the inner index") {
  MatrixXd A(2, 3);
  A << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0;
  MatrixXd AAt(2, 2);
  AAt << 14.0, 32.0, 32.0, 77.0;
  MatrixXd AtA(3, 3);
  AtA << 17.0, 22.0, 27.0, 22.0, 29.0, 36.0, 27.0, 36.0, 45.0;
  CHECK(product(A, A.transpose()) == AAt);
  CHECK(transposed_product(A, A) == AtA);
  MatrixXd weighted(3, 3);
  weighted << -31.0, -38.0, -45.0, -38.0, -46.0, -54.0, -45.0, -54.0, -63.0;
  CHECK(weighted_gram(A, Eigen::Vector2d(1.0, -2.0)) == weighted);
  const Eigen::MatrixXf single = A.cast<float>();
  CHECK(transposed_product(single, single) == AtA.cast<float>());
}

}  // namespace
}  // namespace graspmap
