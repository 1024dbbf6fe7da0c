#pragma once

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// The difference P_A - P_B of two success probabilities, from -1 to 1, as trials tell it.
struct Difference {
  double estimate = 0.0;  ///< of the part of the population that has trials; NaN when none has
  Interval interval{-1.0, 1.0};  ///< weight without trials counts once as -1, once as 1
};

}  // namespace graspmap
