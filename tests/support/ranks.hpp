#pragma once

#include <functional>
#include <vector>

#include "grasp/base/probability/proportions.hpp"

/// Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari, Gelman 2018; Modrak et al.
/// 2023): the ranks of truths that are drawn from the prior are uniform in (0, 1) if what is
/// inferred of them is right, at every level at once.

namespace graspmap::testing {

/// The rank of a truth among draws; `u` in (0, 1) places it among equal ones.
inline double rank_among(const std::vector<double>& draws, double truth, double u) {
  double below = 0;
  double equal = 0;
  for (const double draw : draws) {
    below += draw < truth ? 1 : 0;
    equal += draw == truth ? 1 : 0;
  }
  return (below + u * (equal + 1)) / (static_cast<double>(draws.size()) + 1);
}

/// The rank of a truth by intervals of equal tails of every confidence: that of the tail which just
/// reaches it.
inline double rank_by_intervals(double truth,
                                const std::function<Interval(double confidence)>& interval) {
  double inside = 1;
  double outside = 0;
  const Interval narrow = interval(1e-6);
  const bool is_above = truth > 0.5 * (narrow.low + narrow.high);
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (inside + outside);
    const Interval at = interval(middle);
    (at.low <= truth && truth <= at.high ? inside : outside) = middle;
  }
  return is_above ? 0.5 * (1 + inside) : 0.5 * (1 - inside);
}

}  // namespace graspmap::testing
