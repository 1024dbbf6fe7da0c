#pragma once

#include <algorithm>

namespace graspmap {

/// The ratio of an estimate's variance to that with as many independent trials (Kish 1965), where
/// the trials of each cell belong to two nets that are independent of each other. How far the two
/// differ estimates the variance; one cell says little, many alike say enough.
class DesignEffect {
 public:
  /// A cell. `seen`: the variance of its part of the estimate as its nets differ; `independent`:
  /// with independent trials. Both in any unit that all cells have in common.
  void add(double seen, double independent) {
    seen_ += seen;
    independent_ += independent;
    squares_ += independent * independent;
  }

  /// Never above 1; 1 before any cell that varies. Half a cell with the effect 1 is added, so that
  /// few cells do not claim much. The ratio of the sums of K cells is then one of K degrees of
  /// freedom: for 95 % intervals it grows by the square of Student's quantile over the normal one
  /// (Abramowitz and Stegun 1964, 26.7.5); and by a twentieth, since not all cells are quite alike.
  [[nodiscard]] double value() const {
    if (!(independent_ > 0)) return 1.0;
    constexpr double kAddedCells = 0.5;
    constexpr double kNotAlike = 1.05;
    const double cells = independent_ * independent_ / squares_;
    const double pooled = (seen_ / independent_ * cells + kAddedCells) / (cells + kAddedCells);
    const double student = 1 + 2.42 / cells + 4.3 / (cells * cells);
    return std::min(pooled * kNotAlike * student, 1.0);
  }

 private:
  double seen_ = 0.0;
  double independent_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace graspmap
