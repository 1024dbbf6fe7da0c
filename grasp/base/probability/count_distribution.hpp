#pragma once

#include <cstdint>
#include <vector>

namespace graspmap {

/// The probabilities of a count as a table, to sum and to draw from. What is less probable than
/// 1e-300 times the likeliest count is left out.
class CountDistribution {
 public:
  /// The successes of `trials` trials that succeed with this probability each, trials >= 0.
  static CountDistribution binomial(std::int64_t trials, double probability);

  /// The marked ones in a sample drawn without replacement from `all` of which `marked` are marked,
  /// 0 <= marked, sample <= all.
  static CountDistribution hypergeometric(std::int64_t marked, std::int64_t sample,
                                          std::int64_t all);

  /// The counts in the table are first() to last().
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const {
    return first_ + static_cast<std::int64_t>(probabilities_.size()) - 1;
  }
  /// 0 outside of the table.
  [[nodiscard]] double probability(std::int64_t count) const;

  /// The smallest count that is not exceeded with a probability of at least u, 0 < u < 1: for
  /// uniform u, a draw.
  [[nodiscard]] std::int64_t quantile(double u) const;

 private:
  CountDistribution() = default;
  template <typename Ratio>
  void fill(std::int64_t low, std::int64_t mode, std::int64_t high, double at_mode,
            const Ratio& ratio);

  std::int64_t first_ = 0;
  std::vector<double> probabilities_;
  std::vector<double> cumulative_;
};

}  // namespace graspmap
