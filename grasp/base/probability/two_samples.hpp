#pragma once

#include <cstdint>

#include "grasp/base/probability/interval.hpp"

/// Whether two samples of trials succeed equally often.

namespace graspmap {

/// Trials of one kind.
struct SampleCounts {
  std::int64_t successes = 0;
  std::int64_t trials = 0;  ///< without the failed ones
  std::int64_t failed = 0;  ///< further trials that say nothing

  [[nodiscard]] double probability() const {
    return static_cast<double>(successes) / static_cast<double>(trials);
  }
};

enum class FailedTrials { kNoSuccess, kSuccess };

/// The counts with the failed trials taken as told.
SampleCounts decided(const SampleCounts& counts, FailedTrials failed);

/// Fisher's exact test (1935), two-sided: the probability, given the margins of the table, of all
/// tables that are not more probable than this one. Failed trials count once as successes, once as
/// no successes, and the larger p-value is returned. NaN when one of the two has no trials.
double fisher_exact_p_value(const SampleCounts& a, const SampleCounts& b);

/// A share and its interval.
struct Estimate {
  double value = 0.0;
  Interval interval;
};

/// The interval of a - b for independent a and b: Newcombe (1998, "Interval estimation for the
/// difference between independent proportions", method 10), with the intervals of a and b [l, u]:
///   a - b - sqrt((a - l_a)^2 + (u_b - b)^2)  to  a - b + sqrt((u_a - a)^2 + (b - l_b)^2).
Interval newcombe_interval(const Estimate& a, const Estimate& b);

/// The deviance of "both succeed with one probability" from the two samples (likelihood-ratio
/// statistic G^2, Wilks 1938): 2 sum O ln(O / E) over the four counts O, E = what one common
/// probability expects. Failed trials are not looked at.
double two_sample_deviance(const SampleCounts& a, const SampleCounts& b);

}  // namespace graspmap
