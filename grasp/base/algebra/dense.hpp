#pragma once

#include <Eigen/Core>
#include <optional>

// Matrices of any size, which Eigen takes longest to compile for: decompositions and products are
// compiled here, once. The bits are those of Eigen's expressions.
namespace graspmap {

/// A symmetric matrix's eigenvalues, ascending, and its eigenvectors: columns of length 1.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// Cholesky's lower triangular L with L L' = A, for A that is positive definite.
Eigen::MatrixXd cholesky_root(const Eigen::MatrixXd& A);
/// The same L, or nothing where A is not positive definite.
std::optional<Eigen::MatrixXd> root_if_positive(const Eigen::MatrixXd& A);
/// The same L, times a vector.
Eigen::VectorXd cholesky_root_times(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);

/// A^-1 b and A^-1, by A = L L': for A that is positive definite.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse_positive(const Eigen::MatrixXd& A);

/// A^-1 b by A = L D L': for A that is positive or negative semidefinite.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
Eigen::VectorXf solve_semidefinite(const Eigen::MatrixXf& A, const Eigen::VectorXf& b);

/// L^-1 B, for a lower triangular L.
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& L, const Eigen::MatrixXd& B);

/// A B, A' B.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::MatrixXf transposed_product(const Eigen::MatrixXf& A, const Eigen::MatrixXf& B);

/// X' diag(w) X: one half is calculated, the other one is its mirror image.
Eigen::MatrixXd weighted_gram(const Eigen::MatrixXd& X, const Eigen::VectorXd& w);

}  // namespace graspmap
