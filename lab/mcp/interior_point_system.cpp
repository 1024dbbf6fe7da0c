#include "lab/mcp/interior_point_system.hpp"

#include <algorithm>

namespace graspmap::mcp {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The place of entry (i, j) in the values of a compressed matrix that has it.
int place_of(const Sparse& matrix, int i, int j) {
  const int* const begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[j];
  const int* const end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[j + 1];
  return static_cast<int>(std::lower_bound(begin, end, i) - matrix.innerIndexPtr());
}

/// The pattern of the lower triangle of I + A^T A.
Sparse lower_pattern(const SparseRows& rows) {
  const auto n = rows.cols();
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (int row = 0; row < rows.rows(); ++row) {
    for (SparseRows::InnerIterator first(rows, row); first; ++first) {
      for (SparseRows::InnerIterator second(rows, row); second; ++second) {
        if (second.col() <= first.col()) {
          entries.emplace_back(static_cast<int>(first.col()), static_cast<int>(second.col()), 1.0);
        }
      }
    }
  }
  Sparse pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

}  // namespace

InteriorPointSystem::InteriorPointSystem(const ScaledQp& qp) : qp_(qp) {
  const SparseRows rows = qp.A;
  const auto n = static_cast<int>(qp.c.size());
  K_ = lower_pattern(rows);
  for (int i = 0; i < n; ++i) diagonal_.push_back(place_of(K_, i, i));
  for (int row = 0; row < rows.rows(); ++row) {
    for (SparseRows::InnerIterator first(rows, row); first; ++first) {
      for (SparseRows::InnerIterator second(rows, row); second; ++second) {
        if (second.col() > first.col()) continue;
        const int place =
            place_of(K_, static_cast<int>(first.col()), static_cast<int>(second.col()));
        products_.push_back({row, place, first.value() * second.value()});
      }
    }
  }
  cholesky_.analyzePattern(K_);
}

bool InteriorPointSystem::factorize(const Eigen::VectorXd& D) {
  double* const values = K_.valuePtr();
  std::fill(values, values + K_.nonZeros(), 0.0);
  for (const int place : diagonal_) values[place] = 1.0;
  for (const Product& product : products_) values[product.place] += D[product.row] * product.value;
  cholesky_.factorize(K_);
  if (cholesky_.info() != Eigen::Success) return false;
  if (qp_.E.rows() == 0) return true;
  K_inverse_Et_ = cholesky_.solve(Eigen::MatrixXd(qp_.E.transpose()));
  Eigen::MatrixXd schur = qp_.E * K_inverse_Et_;
  // Redundant equalities make it singular. The added term slows the multipliers a little, and does
  // not change their limit.
  constexpr double kRegularization = 1e-12;
  schur.diagonal().array() += kRegularization * schur.diagonal().maxCoeff();
  schur_.compute(schur);
  return schur_.info() == Eigen::Success;
}

void InteriorPointSystem::solve(const Eigen::VectorXd& r, const Eigen::VectorXd& s,
                                Eigen::VectorXd& dv, Eigen::VectorXd& dy) const {
  dv = cholesky_.solve(r);
  dy.resize(qp_.E.rows());
  if (qp_.E.rows() == 0) return;
  dy = schur_.solve(s - qp_.E * dv);
  dv += K_inverse_Et_ * dy;
}

}  // namespace graspmap::mcp
