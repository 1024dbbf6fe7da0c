#pragma once

#include <cstdint>
#include <vector>

#include "lab/mcp/problem.hpp"

namespace graspmap::mcp {

/// A mixed linear complementarity problem w = M z + q without its free unknowns: a problem of
/// complementary rows only, in x. Refers to the mixed problem, which must outlive it.
///
/// The free unknowns become basic by a principal pivot (Cottle, Pang and Stone 1992, section 2.3),
/// which keeps a positive semidefinite M so. Where their block of M is singular, complementary
/// pairs j are exchanged with them: x_j is w_j then, and its row z_j. For a positive semidefinite M
/// the free unknowns and rows left after that are zero in all others: the unknowns are zero, the
/// rows hold for any x or for none.
class WithoutFree {
 public:
  enum class How : std::uint8_t {
    kAsTheyAre,     ///< all free unknowns and no pair: possible if their block is regular
    kByRank,        ///< with pairs, by complete pivoting; sums that are rounding are set to zero;
                    ///< what is left is split as below
    kByDifferences  ///< free unknowns as differences of two nonnegative ones
  };
  WithoutFree(const LinearProblem& problem, How how);

  [[nodiscard]] bool is_possible() const { return is_possible_; }
  /// The free unknowns were eliminated as they are, to the last bit.
  [[nodiscard]] bool is_regular() const { return how_ == How::kAsTheyAre; }
  /// Equations of free rows contradict each other for all z.
  [[nodiscard]] bool has_contradiction() const { return has_contradiction_; }
  [[nodiscard]] const LinearProblem& problem() const { return reduced_; }
  /// z of a solution x.
  [[nodiscard]] Eigen::VectorXd unknowns(const Eigen::VectorXd& x) const;

 private:
  void exchange_all();
  void exchange_by_rank();
  void leave_all();
  void drop_zero_rows(const Eigen::MatrixXd& T);
  void reduce();

  const LinearProblem& mixed_;
  How how_;
  bool is_possible_ = true;
  bool has_contradiction_ = false;
  std::vector<int> free_;
  std::vector<int> complementary_;
  std::vector<int> rows_;           // of the principal pivot: free rows, then pairs
  std::vector<int> columns_;        // its columns: free unknowns, then pairs
  std::vector<int> pairs_;          // exchanged
  std::vector<int> kept_;           // complementary, not exchanged
  std::vector<int> split_rows_;     // free rows that are left
  std::vector<int> split_columns_;  // free unknowns that are left
  Eigen::MatrixXd P_;               // z of columns_ = P (x, those of split_columns_) + p
  Eigen::VectorXd p_;
  LinearProblem reduced_;
};

}  // namespace graspmap::mcp
