#pragma once

#include "bench/compare/reference.hpp"
#include "grasp/base/probability/proportions.hpp"

namespace graspmap::bench {

/// The trials of an engine held against the reference's.
struct Agreement {
  int trials = 0;
  int agreeing = 0;  ///< trials with the reference's outcome
  int robust = 0;
  int robust_agreeing = 0;
  int failed = 0;  ///< trials that the engine could not simulate
  /// Differences of the final pose from the reference's, over trials with its outcome; NaN without.
  double median_mm = 0.0;
  double p90_mm = 0.0;  ///< a tenth of the trials is worse
  double p99_mm = 0.0;  ///< a hundredth of them
  double median_rad = 0.0;
  double p90_rad = 0.0;
  double p99_rad = 0.0;
  double worst_overlap_mm = 0.0;  ///< at the end of a trial, >= 0

  [[nodiscard]] int robust_wrong() const { return robust - robust_agreeing; }
  /// The share of robust trials that agree; 1 without robust trials.
  [[nodiscard]] double robust_share() const;
  /// Wilson's 95 % interval of that share.
  [[nodiscard]] Interval robust_interval() const;
};

/// `ends[k]` belongs to `reference[k]`. A trial that failed does not agree.
Agreement agreement(const std::vector<ReferenceTrial>& reference,
                    const std::vector<TrialEnd>& ends);

/// The reference with half its step held against itself: how far it has converged.
Agreement convergence(const std::vector<ReferenceTrial>& reference);

}  // namespace graspmap::bench
