#pragma once

#include <span>

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// A confidence interval by the delete-a-group jackknife (Kott 2001, "The delete-a-group
/// jackknife"): `left_out` has the estimates that come out when each of G >= 2 equal groups of the
/// sample is left out in turn. estimate -+ t s with s^2 = (G-1)/G sum (left_out_g - their mean)^2
/// and t the quantile of Student's distribution with G - 1 degrees of freedom. Estimates that are
/// NaN are skipped; with fewer than 2 the interval is infinite.
Interval jackknife_interval(double estimate, std::span<const double> left_out, double confidence);

}  // namespace graspmap
