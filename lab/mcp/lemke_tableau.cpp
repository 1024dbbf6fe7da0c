#include "lab/mcp/lemke_tableau.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap::mcp {
namespace {

/// Differences below this are rounding: the tableau's data are of order one.
constexpr double kTie = 1e-11;

}  // namespace

LemkeTableau::LemkeTableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& d, double pivot_tolerance,
                           int pivots_to_recompute)
    : M_(M),
      q_(q),
      d_(d),
      n_(static_cast<int>(q.size())),
      pivot_tolerance_(pivot_tolerance),
      pivots_to_recompute_(pivots_to_recompute),
      T_(n_, n_ + 2),
      row_of_(index(2 * n_ + 1), -1),
      column_of_(index(2 * n_ + 1), -1) {
  T_ << -M, -d, q;
  for (int i = 0; i < n_; ++i) {
    basic_.push_back(i);
    row_of_[index(i)] = i;
  }
  for (int j = 0; j <= n_; ++j) {
    nonbasic_.push_back(n_ + j);
    column_of_[index(n_ + j)] = j;
  }
  candidates_.reserve(index(n_));
}

void LemkeTableau::start() {
  // The last of ties: only then the rows (q, B^-1) are lexicographically positive afterwards.
  int row = 0;
  for (int i = 1; i < n_; ++i) {
    if (q_[i] / d_[i] <= q_[row] / d_[row]) row = i;
  }
  entering_ = complement(basic_[index(row)]);
  pivot(row, column_of_[index(2 * n_)]);
}

bool LemkeTableau::step() {
  if (pivots_since_recompute_ >= pivots_to_recompute_) recompute();
  find_candidates(column_of_[index(entering_)]);
  if (candidates_.empty() && pivots_since_recompute_ > 0) {
    recompute();  // a ray should not be one of rounding
    find_candidates(column_of_[index(entering_)]);
  }
  if (candidates_.empty()) {
    end_ = End::kRay;
    return false;
  }
  const int column = column_of_[index(entering_)];
  const int row = leaving_row(column);
  const int leaving = basic_[index(row)];
  pivot(row, column);
  if (leaving == 2 * n_) {
    end_ = End::kComplementary;
    return false;
  }
  entering_ = complement(leaving);
  return true;
}

Eigen::VectorXd LemkeTableau::z() const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
  for (int i = 0; i < n_; ++i) {
    const int row = row_of_[index(n_ + i)];
    if (row >= 0) z[i] = T_(row, n_ + 1);
  }
  return z;
}

void LemkeTableau::find_candidates(int column) {
  const double least = pivot_tolerance_ * T_.col(column).cwiseAbs().maxCoeff();
  candidates_.clear();
  for (int i = 0; i < n_; ++i) {
    if (T_(i, column) > least) candidates_.push_back(i);
  }
}

/// Lexicographic ratio test: the least row (rhs, B^-1) divided by its entry of the pivot column.
int LemkeTableau::leaving_row(int column) {
  keep_ties(column, n_ + 1);
  const int artificial = row_of_[index(2 * n_)];
  if (std::find(candidates_.begin(), candidates_.end(), artificial) != candidates_.end()) {
    return artificial;  // it may as well leave now: z0 = 0 solves the problem
  }
  for (int j = 0; j < n_ && candidates_.size() > 1; ++j) {
    const int basic_row = row_of_[index(j)];
    if (basic_row < 0) {
      keep_ties(column, column_of_[index(j)]);
    } else {
      // The column of B^-1 is the unit vector of w_j's row: that row is the greatest.
      std::erase(candidates_, basic_row);
    }
  }
  return candidates_.front();
}

/// Keeps the candidates of least T(i, compared) / T(i, column).
void LemkeTableau::keep_ties(int column, int compared) {
  double least = std::numeric_limits<double>::infinity();
  for (const int i : candidates_) least = std::min(least, T_(i, compared) / T_(i, column));
  std::erase_if(candidates_, [&](int i) {
    const double entry = T_(i, compared);
    return entry - least * T_(i, column) > kTie * std::max(1.0, std::abs(entry));
  });
}

/// Exchanges the basic variable of a row with the nonbasic one of a column.
void LemkeTableau::pivot(int row, int column) {
  const double inverse = 1.0 / T_(row, column);
  Eigen::VectorXd factors = T_.col(column) * inverse;
  factors[row] = 0.0;
  for (int j = 0; j < n_ + 2; ++j) {
    const double entry = T_(row, j);
    if (j == column || entry == 0.0) continue;
    T_.col(j).noalias() -= entry * factors;
    T_(row, j) = entry * inverse;
  }
  T_.col(column) = -factors;
  T_(row, column) = inverse;
  auto rhs = T_.col(n_ + 1);
  rhs = (rhs.array().abs() <= kTie).select(0.0, rhs);  // so that ties stay ties
  std::swap(basic_[index(row)], nonbasic_[index(column)]);
  row_of_[index(basic_[index(row)])] = row;
  column_of_[index(basic_[index(row)])] = -1;
  row_of_[index(nonbasic_[index(column)])] = -1;
  column_of_[index(nonbasic_[index(column)])] = column;
  ++pivots_since_recompute_;
}

/// The tableau of the present basis B from the data: B^-1 [N, q].
void LemkeTableau::recompute() {
  pivots_since_recompute_ = 0;
  Eigen::MatrixXd B(n_, n_);
  Eigen::MatrixXd N(n_, n_ + 2);
  for (int i = 0; i < n_; ++i) B.col(i) = original_column(basic_[index(i)]);
  for (int j = 0; j <= n_; ++j) N.col(j) = original_column(nonbasic_[index(j)]);
  N.col(n_ + 1) = q_;
  const Eigen::MatrixXd T = B.partialPivLu().solve(N);
  if (!T.allFinite()) return;  // better inexact than nothing; the caller checks the solution
  T_ = T;
  auto rhs = T_.col(n_ + 1);
  rhs = (rhs.array().abs() <= kTie).select(0.0, rhs);
}

/// Column of [I, -M, -d].
Eigen::VectorXd LemkeTableau::original_column(int label) const {
  if (label < n_) return Eigen::VectorXd::Unit(n_, label);
  if (label < 2 * n_) return -M_.col(label - n_);
  return -d_;
}

}  // namespace graspmap::mcp
