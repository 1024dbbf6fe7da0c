#pragma once

#include <vector>

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// An interval, and the bounds of the prior that it reaches.
struct ShortestInterval {
  Interval interval;
  bool touches_low = false;
  bool touches_high = false;
};

/// The shortest interval that holds a share of draws from a density on [low, high] (Chen, Shao
/// 1999): the highest density when that has one peak. Where the density does not fall towards a
/// bound, the interval begins at the bound: intervals of equal tails leave out a width of 0 even
/// if it is the likeliest. The density beside a bound is that of the nearest twentieth of the
/// draws' range; it is compared with the density that the interval's ends have.
ShortestInterval shortest_interval(std::vector<double> draws, double share, double low,
                                   double high);

}  // namespace graspmap
