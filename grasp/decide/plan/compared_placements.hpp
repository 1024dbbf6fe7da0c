#pragma once

#include <cstddef>
#include <vector>

#include "grasp/decide/plan/expected_success.hpp"

namespace graspmap {

/// Placements beside a reference, by the same trials: most of what is uncertain of one is uncertain
/// of the other, so the difference of two estimates is known better than either.
class ComparedPlacements {
 public:
  /// `design_effect`: of P at the reference. Refers to `field` and `error`.
  ComparedPlacements(const SuccessField& field, const ErrorMixture& error,
                     const PlacementVector& reference, double design_effect);

  /// The standard error of the difference of expected_success_probability at a placement and at
  /// the reference: the root of D sum v_k (W_k w_i - W'_k w'_i)^2 over the trials i of all cells k,
  /// v_k the variance of an outcome there (SuccessField::spread), W_k the error's mass in the cell,
  /// w_i the trial's weight in the cell's mean.
  [[nodiscard]] double standard_error(const PlacementVector& at) const;

 private:
  /// What a cell has in an estimate.
  struct Share {
    double mass = 0.0;
    std::vector<double> weights;  ///< of its trials, of sum 1; empty: all alike
  };
  [[nodiscard]] Share share(const CellMass& cell, const PlacementVector& at) const;
  /// What the difference of two shares of a cell varies by.
  [[nodiscard]] double variance(std::size_t cell, const Share& a, const Share& b) const;

  const SuccessField& field_;
  const ErrorMixture& error_;
  double design_effect_;
  std::vector<Share> reference_;  ///< of all cells
  std::vector<double> alone_;     ///< of each cell: what the reference's share varies by
  double all_alone_ = 0.0;        ///< their sum
};

}  // namespace graspmap
