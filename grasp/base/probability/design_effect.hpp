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

  /// The mean effect of all cells, and of half a cell of effect 1, so that few cells do not claim
  /// much.
  [[nodiscard]] double mean() const { return with(0.5, 1.0); }

  /// The mean effect of all cells, and of one more of effect `usual`, which is expected of cells
  /// like these.
  [[nodiscard]] double mean_with(double usual) const { return with(1.0, usual); }

  /// The degrees of freedom of mean_with: the ratio of the sums of K cells has K.
  [[nodiscard]] double freedom() const { return cells() + 1; }

  /// For 95 % intervals; never above 1. It is the mean with `usual`, and 9 % more, since not all
  /// cells are quite alike.
  [[nodiscard]] double value(double usual) const {
    return for_intervals(1.09 * mean_with(usual), freedom());
  }

  /// An effect of so many degrees of freedom for 95 % intervals; never above 1: it grows by the
  /// square of Student's quantile over the normal one (Abramowitz and Stegun 1964, 26.7.5).
  static double for_intervals(double effect, double freedom) {
    const double student = 1 + 2.42 / freedom + 4.3 / (freedom * freedom);
    return std::min(effect * student, 1.0);
  }

 private:
  /// How many cells of equal variance would say as much.
  [[nodiscard]] double cells() const {
    return independent_ > 0 ? independent_ * independent_ / squares_ : 0.0;
  }

  /// The mean effect with that of more cells, at most 1.
  [[nodiscard]] double with(double more, double effect) const {
    const double sum = independent_ > 0 ? seen_ / independent_ * cells() : 0.0;
    return std::min((sum + more * effect) / (cells() + more), 1.0);
  }

  double seen_ = 0.0;
  double independent_ = 0.0;
  double squares_ = 0.0;
};

}  // namespace graspmap
