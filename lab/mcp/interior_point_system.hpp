#pragma once

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <vector>

#include "lab/mcp/scaled_qp.hpp"

namespace graspmap::mcp {

/// The systems of an interior-point iteration,
///   (I + A^T D A) dv - E^T dy = r,   E dv = s,
/// D diagonal and positive: by a sparse Cholesky factorisation, whose pattern is analysed once, and
/// a dense one of E (I + A^T D A)^-1 E^T. Refers to `qp`, which must outlive it.
class InteriorPointSystem {
 public:
  /// Analyses the pattern of I + A^T D A.
  explicit InteriorPointSystem(const ScaledQp& qp);

  /// Sets D. False when the matrix is not positive definite to working precision.
  [[nodiscard]] bool factorize(const Eigen::VectorXd& D);

  /// Solves for dv and dy with the last D.
  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& s, Eigen::VectorXd& dv,
             Eigen::VectorXd& dy) const;

 private:
  /// A product of two entries of a row of A, and where it adds to K.
  struct Product {
    int row;
    int place;
    double value;
  };

  const ScaledQp& qp_;
  Eigen::SparseMatrix<double> K_;  // lower triangle of I + A^T D A
  std::vector<Product> products_;
  std::vector<int> diagonal_;  // places of the diagonal in K's values
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> cholesky_;
  Eigen::MatrixXd K_inverse_Et_;
  Eigen::LDLT<Eigen::MatrixXd> schur_;
};

}  // namespace graspmap::mcp
