#include "lab/mcp/scaled_qp.hpp"

#include <algorithm>

namespace graspmap::mcp {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

double largest(const Eigen::VectorXd& vector) {
  return vector.size() == 0 ? 0.0 : vector.cwiseAbs().maxCoeff();
}

/// Divides the rows by their lengths, which it returns; 1 for rows of zeros.
Eigen::VectorXd normalise_rows(Sparse& matrix) {
  Eigen::VectorXd lengths = Eigen::VectorXd::Zero(matrix.rows());
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      lengths[entry.row()] += entry.value() * entry.value();
    }
  }
  lengths = (lengths.array() > 0.0).select(lengths.cwiseSqrt(), 1.0);
  matrix = Sparse(lengths.cwiseInverse().asDiagonal() * matrix);
  return lengths;
}

}  // namespace

ScaledQp::ScaledQp(const ConvexQp& qp) : root_(qp.M.cwiseSqrt()) {
  const auto n = qp.M.size();
  const Eigen::VectorXd inverse_root = root_.cwiseInverse();
  A = qp.A.rows() > 0 ? Sparse(qp.A * inverse_root.asDiagonal()) : Sparse(0, n);
  E = qp.E.rows() > 0 ? Sparse(qp.E * inverse_root.asDiagonal()) : Sparse(0, n);
  A_lengths_ = normalise_rows(A);
  E_lengths_ = normalise_rows(E);
  c = inverse_root.cwiseProduct(qp.c);
  b = qp.b.cwiseQuotient(A_lengths_);
  e = qp.e.cwiseQuotient(E_lengths_);
  const double size = std::max({largest(c), largest(b), largest(e)});
  if (size > 0.0) unit_ = size;
  c /= unit_;
  b /= unit_;
  e /= unit_;
}

ConvexQpPoint ScaledQp::unscaled(const ConvexQpPoint& point) const {
  return {unit_ * point.v.cwiseQuotient(root_), unit_ * point.x.cwiseQuotient(A_lengths_),
          unit_ * point.y.cwiseQuotient(E_lengths_)};
}

double ScaledQp::residual(const ConvexQpPoint& point) const {
  const Eigen::VectorXd gradient = point.v - c - A.transpose() * point.x - E.transpose() * point.y;
  const Eigen::VectorXd slack = A * point.v + b;
  return std::max({largest(gradient), largest(slack.cwiseMin(point.x)), largest(E * point.v + e)});
}

}  // namespace graspmap::mcp
