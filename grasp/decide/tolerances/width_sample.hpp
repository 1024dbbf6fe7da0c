#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "grasp/base/probability/interval.hpp"
#include "grasp/base/probability/paired_difference.hpp"

namespace graspmap {

/// Simulates the grasps first, ..., first + count - 1 of a sample under laws whose widths have
/// these factors. Grasp k has the same random numbers under all widths.
using SimulateWidths = std::function<std::vector<PairSide>(std::span<const double> factors,
                                                           std::int64_t first, std::int64_t count)>;

/// How grasps came out.
struct SuccessCount {
  std::int64_t successes = 0;
  std::int64_t trials = 0;  ///< that were solved
  std::int64_t failed = 0;  ///< that were not: they say nothing

  /// The share of successes; 0 without trials.
  [[nodiscard]] double share() const;
  /// Wilson's, in which failed trials count once as successes, once as none.
  [[nodiscard]] Interval interval(double z) const;
};

/// A sample of grasps under various widths. Samples of fewer grasps are the first of larger ones,
/// and grasps that were simulated are kept.
class WidthSample {
 public:
  /// `most` grasps at most under each widths.
  WidthSample(SimulateWidths simulate, std::int64_t most);

  [[nodiscard]] std::int64_t most() const { return most_; }

  /// How all grasps of the sample come out.
  SuccessCount count(const std::vector<double>& factors);

  /// Whether the share of successes in the whole sample is at least `share`. A part of the sample
  /// (250, 500, 1000, ... grasps) decides where Wilson's interval at 3.5 standard deviations, wrong
  /// once in 2000 times, does not hold `share`.
  bool reaches(const std::vector<double>& factors, double share);

  /// By how much success is more frequent under `a` than under `b`, in pairs.
  Difference difference(const std::vector<double>& a, const std::vector<double>& b, double z);

  /// The grasps that were simulated.
  [[nodiscard]] std::int64_t simulated() const { return simulated_; }

 private:
  const std::vector<PairSide>& outcomes(const std::vector<double>& factors, std::int64_t count);

  SimulateWidths simulate_;
  std::int64_t most_;
  std::int64_t simulated_ = 0;
  std::map<std::vector<double>, std::vector<PairSide>> outcomes_;
};

/// The share of successes among `trials` at which the lower end of Wilson's interval is
/// `probability` (it may be above 1): the score test's, p + z sqrt(p (1 - p) / n).
double share_for_confidence(double probability, std::int64_t trials, double z);

}  // namespace graspmap
