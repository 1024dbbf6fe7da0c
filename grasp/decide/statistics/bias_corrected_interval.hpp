#pragma once

#include <vector>

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// The interval of a number from bootstrap replicates of it, for numbers that sampling noise may
/// move to one side (thresholds, maxima, overlaps).
///
/// [a, b] holds the middle `confidence` of the replicates (percentile interval; Efron and
/// Tibshirani 1993, "An Introduction to the Bootstrap", section 13.3). Replicates are as far from
/// the estimate as the estimate is from the truth, so [2 e - b, 2 e - a] corrects the bias (basic
/// interval; Davison and Hinkley 1997, "Bootstrap Methods and their Application", eq. 2.10); e is
/// the estimate. The result is the smallest interval that holds both: it always holds the estimate,
/// and where there is no bias it is next to the percentile interval. Replicates that are NaN are
/// left out; without any other, or with an estimate that is NaN, both ends are NaN.
Interval bias_corrected_interval(double estimate, std::vector<double> replicates,
                                 double confidence);

}  // namespace graspmap
