#include "grasp/base/algebra/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "geometry/assert.hpp"

namespace graspmap {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

MatrixXd cholesky_root(const MatrixXd& A) { return A.llt().matrixL(); }

std::optional<MatrixXd> root_if_positive(const MatrixXd& A) {
  const Eigen::LLT<MatrixXd> llt(A);
  if (llt.info() != Eigen::Success) return std::nullopt;
  return llt.matrixL();
}

VectorXd cholesky_root_times(const MatrixXd& A, const VectorXd& x) { return A.llt().matrixL() * x; }

VectorXd solve_positive(const MatrixXd& A, const VectorXd& b) { return A.llt().solve(b); }

MatrixXd inverse_positive(const MatrixXd& A) {
  return A.llt().solve(MatrixXd::Identity(A.rows(), A.cols()));
}

VectorXd solve_semidefinite(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

Eigen::VectorXf solve_semidefinite(const Eigen::MatrixXf& A, const Eigen::VectorXf& b) {
  return A.ldlt().solve(b);
}

MatrixXd solve_lower(const MatrixXd& L, const MatrixXd& B) {
  return L.triangularView<Eigen::Lower>().solve(B);
}

MatrixXd product(const MatrixXd& A, const MatrixXd& B) { return A * B; }

MatrixXd transposed_product(const MatrixXd& A, const MatrixXd& B) { return A.transpose() * B; }

Eigen::MatrixXf transposed_product(const Eigen::MatrixXf& A, const Eigen::MatrixXf& B) {
  return A.transpose() * B;
}

MatrixXd weighted_gram(const MatrixXd& X, const VectorXd& w) {
  GRASPMAP_CHECK(X.rows() == w.size());
  const MatrixXd weighted = w.asDiagonal() * X;
  MatrixXd gram(X.cols(), X.cols());
  gram.triangularView<Eigen::Lower>() = X.transpose() * weighted;
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

}  // namespace graspmap
