#pragma once

#include <cmath>
#include <cstdint>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap::testing {

inline void add_trials(SuccessMap& map, int i, int j, Outcome outcome, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) map.add(i, j, outcome);
}

/// A map with `trials` in each cell, as many of them successful as `probability(x, y)` says,
/// rounded down, and the rest wedged.
template <typename Probability>
SuccessMap map_of(const Axis& x, const Axis& y, int trials, const Probability& probability) {
  SuccessMap map(x, y);
  for (int j = 0; j < y.cells; ++j) {
    for (int i = 0; i < x.cells; ++i) {
      const double p = probability(x.cell_center(i), y.cell_center(j));
      const auto successes = static_cast<std::int64_t>(std::floor(p * trials));
      add_trials(map, i, j, Outcome::kSuccess, successes);
      add_trials(map, i, j, Outcome::kWedged, trials - successes);
    }
  }
  return map;
}

}  // namespace graspmap::testing
