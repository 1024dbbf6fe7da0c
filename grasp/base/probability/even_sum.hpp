#pragma once

namespace graspmap {

/// A uniform number in an interval, at this fraction of its width, and the score of a normal one.
struct UniformAndNormal {
  double fraction = 0.0;  ///< in [0, 1]
  double score = 0.0;     ///< standard deviations above the mean
};

/// Draws a uniform number and a normal one by their sum: the sum is its distribution's quantile at
/// level `of_sum`; of the scores that go with this sum, the score is the quantile at `of_normal`.
/// Where the levels are uniform and independent, so are the two numbers. What depends on the sum
/// alone then depends on one level in place of two, which even points fill better. `width` > 0: of
/// the interval, in standard deviations. Levels in (0, 1).
UniformAndNormal divided_sum(double width, double of_sum, double of_normal);

}  // namespace graspmap
