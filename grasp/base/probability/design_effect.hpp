#pragma once

#include <algorithm>
#include <cmath>

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

  /// Never above 1. Half a cell with the effect 1 is added, so that few cells do not claim much;
  /// and 2 / sqrt(K) is added in proportion: the ratio of the sums of K cells is known to a
  /// relative error of sqrt(2/K), and not all of them are quite alike. 1 before any cell that
  /// varies.
  [[nodiscard]] double value() const {
    if (!(independent_ > 0)) return 1.0;
    constexpr double kAddedCells = 0.5;
    const double cells = independent_ * independent_ / squares_;
    const double pooled = (seen_ / independent_ * cells + kAddedCells) / (cells + kAddedCells);
    return std::min(pooled * (1 + 2 / std::sqrt(cells)), 1.0);
  }

 private:
  double seen_ = 0.0;
  double independent_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace graspmap
