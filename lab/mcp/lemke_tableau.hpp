#pragma once

#include <Eigen/Core>
#include <vector>

namespace graspmap::mcp {

/// The tableau of Lemke's method for w - M z - d z0 = q, w, z, z0 >= 0, n rows; d > 0 is the
/// covering vector. Variables are labelled w_i: i, z_i: n + i, z0: 2n. Data should be scaled to be
/// of order one: what is below about 1e-11 counts as zero. After every `pivots_to_recompute` pivots
/// the tableau is computed anew from its basis, against rounding errors; that costs as much as some
/// 3 n pivots. Refers to M, q and d, which must outlive it.
class LemkeTableau {
 public:
  enum class End { kComplementary, kRay, kPivotLimit };

  /// Pivot entries below `pivot_tolerance`, relative to their column's largest, count as zero.
  LemkeTableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& d,
               double pivot_tolerance, int pivots_to_recompute);

  /// The first pivot, z0 for the most negative w (q has a negative entry).
  void start();

  /// One complementary pivot. False when the method ended; `end` says how.
  [[nodiscard]] bool step();
  [[nodiscard]] End end() const { return end_; }

  /// z of the present basis; zero where not basic.
  [[nodiscard]] Eigen::VectorXd z() const;
  [[nodiscard]] bool is_basic(int label) const { return row_of_[index(label)] >= 0; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int complement(int label) const { return label < n_ ? label + n_ : label - n_; }
  void find_candidates(int column);
  [[nodiscard]] int leaving_row(int column);
  void keep_ties(int column, int unit_column);
  void pivot(int row, int column);
  void recompute();
  [[nodiscard]] Eigen::VectorXd original_column(int label) const;

  const Eigen::MatrixXd& M_;
  const Eigen::VectorXd& q_;
  const Eigen::VectorXd& d_;
  int n_;
  double pivot_tolerance_;
  int pivots_to_recompute_;
  Eigen::MatrixXd T_;          // basic = rhs - T nonbasic: n columns, that of z0, and rhs
  std::vector<int> basic_;     // label of a row
  std::vector<int> nonbasic_;  // label of a column
  std::vector<int> row_of_;    // of a label, -1 when it is nonbasic
  std::vector<int> column_of_;
  std::vector<int> candidates_;  // rows of positive pivots
  int entering_ = 0;
  int pivots_since_recompute_ = 0;
  End end_ = End::kPivotLimit;
};

}  // namespace graspmap::mcp
