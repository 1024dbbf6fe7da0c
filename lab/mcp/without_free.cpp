#include "lab/mcp/without_free.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lab/mcp/minimum_norm.hpp"

namespace graspmap::mcp {
namespace {

/// Entries of a scaled tableau below this are zero.
constexpr double kZeroEntry = 1e-11;

/// M with rows, then columns, divided by their largest entry.
Eigen::MatrixXd equilibrated(const Eigen::MatrixXd& M) {
  const auto scale = [](double largest) { return largest > 0.0 ? 1.0 / largest : 1.0; };
  Eigen::MatrixXd scaled = M;
  for (int i = 0; i < M.rows(); ++i) scaled.row(i) *= scale(scaled.row(i).cwiseAbs().maxCoeff());
  for (int j = 0; j < M.cols(); ++j) scaled.col(j) *= scale(scaled.col(j).cwiseAbs().maxCoeff());
  return scaled;
}

/// A place in a tableau, and its entry's size.
struct Place {
  int row = -1;
  int column = -1;
  double size = 0.0;
};

Place largest_entry(const Eigen::MatrixXd& T, const std::vector<int>& rows,
                    const std::vector<int>& columns) {
  Place found;
  for (const int i : rows) {
    for (const int j : columns) {
      if (std::abs(T(i, j)) > found.size) found = {i, j, std::abs(T(i, j))};
    }
  }
  return found;
}

/// A free row, a complementary pair and a free unknown that can be exchanged together.
struct Bridge {
  int row = -1;
  int pair = -1;
  int column = -1;
  double size = 0.0;
};

Bridge best_bridge(const Eigen::MatrixXd& T, const std::vector<int>& rows,
                   const std::vector<int>& pairs, const std::vector<int>& columns) {
  Bridge best;
  for (const int pair : pairs) {
    const Place in = largest_entry(T, rows, {pair});
    const Place out = largest_entry(T, {pair}, columns);
    const double size = std::min(in.size, out.size);
    if (size > best.size) best = {in.row, pair, out.column, size};
  }
  return best;
}

/// Exchanges the row's variable with the column's.
void exchange(Eigen::MatrixXd& T, int row, int column) {
  const double inverse = 1.0 / T(row, column);
  const Eigen::RowVectorXd of_row = T.row(row);
  const Eigen::VectorXd of_column = T.col(column);
  T.noalias() -= inverse * of_column * of_row;
  T.row(row) = -inverse * of_row;
  T.col(column) = inverse * of_column;
  T(row, column) = inverse;
}

/// Sets sums that are rounding to zero; `terms`: the same sums of absolute terms.
template <typename Sums>
void clear_rounding(const Eigen::MatrixXd& terms, Sums sums) {
  constexpr double kRounding = 1e-14;
  sums = (sums.array().abs() <= kRounding * terms.array()).select(0.0, sums).eval();
}

std::vector<int> joined(std::vector<int> first, const std::vector<int>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

WithoutFree::WithoutFree(const LinearProblem& problem, How how) : mixed_(problem), how_(how) {
  for (int i = 0; i < problem.q.size(); ++i) {
    const bool is_free = problem.kinds[static_cast<std::size_t>(i)] == Kind::kFree;
    (is_free ? free_ : complementary_).push_back(i);
  }
  kept_ = complementary_;
  switch (how) {
    case How::kAsTheyAre:
      exchange_all();
      break;
    case How::kByRank:
      exchange_by_rank();
      break;
    case How::kByDifferences:
      leave_all();
      break;
  }
  if (is_possible_) reduce();
}

void WithoutFree::exchange_all() { rows_ = columns_ = free_; }

void WithoutFree::leave_all() { split_rows_ = split_columns_ = free_; }

/// The largest pivots first: free rows with free unknowns, then both by a pair.
void WithoutFree::exchange_by_rank() {
  Eigen::MatrixXd T = equilibrated(mixed_.M);
  split_rows_ = split_columns_ = free_;
  const auto take = [](int which, std::vector<int>& from, std::vector<int>& to) {
    std::erase(from, which);
    to.push_back(which);
  };
  const auto take_both = [&](int row, int column) {
    take(row, split_rows_, rows_);
    take(column, split_columns_, columns_);
  };
  for (Place place = largest_entry(T, split_rows_, split_columns_); place.size > kZeroEntry;
       place = largest_entry(T, split_rows_, split_columns_)) {
    exchange(T, place.row, place.column);
    take_both(place.row, place.column);
  }
  for (Bridge bridge = best_bridge(T, split_rows_, kept_, split_columns_); bridge.size > kZeroEntry;
       bridge = best_bridge(T, split_rows_, kept_, split_columns_)) {
    exchange(T, bridge.row, bridge.pair);
    exchange(T, bridge.pair, bridge.column);
    take_both(bridge.row, bridge.column);
    take(bridge.pair, kept_, pairs_);
  }
  rows_ = joined(rows_, pairs_);
  columns_ = joined(columns_, pairs_);
  drop_zero_rows(T);
}

/// Where the rows and unknowns that are left are zero in the tableau, they are dropped: the
/// unknowns are zero, and the rows hold, or contradict each other.
void WithoutFree::drop_zero_rows(const Eigen::MatrixXd& T) {
  // Columns of exchanged free unknowns belong to rows that are zero, so they count for nothing.
  const std::vector<int> others = joined(kept_, pairs_);
  const bool rows_are_zero = largest_entry(T, split_rows_, others).size <= kZeroEntry;
  const bool columns_are_zero = largest_entry(T, others, split_columns_).size <= kZeroEntry;
  if (!rows_are_zero) return;
  const Eigen::MatrixXd of_free = mixed_.M(free_, Eigen::all);
  const Eigen::VectorXd q = mixed_.q(free_);
  const Eigen::VectorXd nearest = MinimumNorm(of_free).solve(q);
  const double largest = std::max(1.0, q.cwiseAbs().maxCoeff());
  has_contradiction_ = (of_free * nearest - q).cwiseAbs().maxCoeff() > 1e-8 * largest;
  if (has_contradiction_) is_possible_ = false;
  if (!columns_are_zero) return;
  split_rows_.clear();
  split_columns_.clear();
}

/// The problem in x = (z of kept_, w of pairs_, parts of split_columns_).
void WithoutFree::reduce() {
  constexpr double kLeastReciprocalCondition = 1e-15;
  const auto kept = static_cast<Eigen::Index>(kept_.size());
  const auto pairs = static_cast<Eigen::Index>(pairs_.size());
  const auto split = static_cast<Eigen::Index>(split_columns_.size());
  const auto size = static_cast<Eigen::Index>(rows_.size());
  Eigen::MatrixXd given = Eigen::MatrixXd::Zero(size, kept + pairs + split);
  p_ = Eigen::VectorXd::Zero(size);
  P_ = given;
  if (size > 0) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(mixed_.M(rows_, columns_));
    if (how_ == How::kAsTheyAre && !(lu.rcond() > kLeastReciprocalCondition)) {
      is_possible_ = false;
      return;
    }
    given.leftCols(kept) = mixed_.M(rows_, kept_);
    given.block(size - pairs, kept, pairs, pairs) = -Eigen::MatrixXd::Identity(pairs, pairs);
    given.rightCols(split) = mixed_.M(rows_, split_columns_);
    if (given.cols() > 0) P_ = -lu.solve(given);
    p_ = -lu.solve(Eigen::VectorXd(mixed_.q(rows_)));
  }
  if (!P_.allFinite() || !p_.allFinite()) {
    is_possible_ = false;
    return;
  }
  // Rows: w of kept_, z of pairs_, those of split_rows_.
  const auto n = kept + pairs + split;
  const auto substituted = [&](const std::vector<int>& rows, auto M, auto q) {
    const Eigen::MatrixXd of_columns = mixed_.M(rows, columns_);
    M.setZero();
    M.leftCols(kept) = mixed_.M(rows, kept_);
    M.rightCols(split) = mixed_.M(rows, split_columns_);
    const Eigen::MatrixXd terms = M.cwiseAbs() + of_columns.cwiseAbs() * P_.cwiseAbs();
    M += of_columns * P_;
    if (how_ != How::kAsTheyAre) clear_rounding(terms, M);
    q = mixed_.q(rows) + of_columns * p_;
    if (how_ == How::kAsTheyAre) return;
    clear_rounding(mixed_.q(rows).cwiseAbs() + of_columns.cwiseAbs() * p_.cwiseAbs(), q);
  };
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd q(n);
  substituted(kept_, M.topRows(kept), q.head(kept));
  M.middleRows(kept, pairs) = P_.bottomRows(pairs);
  q.segment(kept, pairs) = p_.tail(pairs);
  substituted(split_rows_, M.bottomRows(split), q.tail(split));
  // u = u+ - u-, and both rows F >= 0 and -F >= 0
  reduced_.M.resize(n + split, n + split);
  reduced_.M << M, -M.rightCols(split), -M.bottomRows(split), M.bottomRightCorner(split, split);
  reduced_.q.resize(n + split);
  reduced_.q << q, -q.tail(split);
  reduced_.kinds.assign(static_cast<std::size_t>(n + split), Kind::kNonnegative);
}

Eigen::VectorXd WithoutFree::unknowns(const Eigen::VectorXd& x) const {
  const auto split = static_cast<Eigen::Index>(split_columns_.size());
  const auto n = x.size() - split;
  Eigen::VectorXd joint = x.head(n);
  joint.tail(split) -= x.tail(split);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(mixed_.q.size());
  z(kept_) = joint.head(static_cast<Eigen::Index>(kept_.size()));
  z(split_columns_) = joint.tail(split);
  z(columns_) = P_ * joint + p_;
  return z;
}

}  // namespace graspmap::mcp
