#pragma once

#include "geometry/elementary/coefficients.hpp"

namespace graspmap::elementary {

/// exp(high + low), low small against 1: 0 and infinity where that is out of range.
double exp_of_sum(double high, double low);

/// exp(a y).
double exp_of_product(const Pair& a, double y);

}  // namespace graspmap::elementary
