#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/trials/success_map.hpp"

/// Made-up maps whose success probability is known.

namespace graspmap::testing {

inline const Axis kSide{0, 14, 14};

/// A true map: its probability falls from 1 to 0 over `edge_mm` around a disc.
struct SoftDisc {
  double x_mm = 7.0;
  double y_mm = 7.0;
  double edge_mm = 2.0;

  [[nodiscard]] double probability(int i, int j) const {
    const double from = std::hypot(kSide.cell_center(i) - x_mm, kSide.cell_center(j) - y_mm);
    return std::clamp((4.2 + edge_mm / 2 - from) / edge_mm, 0.0, 1.0);
  }

  [[nodiscard]] double cells(double threshold) const {
    double cells = 0;
    for (int j = 0; j < 14; ++j) {
      for (int i = 0; i < 14; ++i) cells += probability(i, j) >= threshold ? 1 : 0;
    }
    return cells;
  }
};

/// Somewhere near the middle, so that the cells' probabilities differ from map to map.
inline SoftDisc drawn_disc(std::uint64_t seed, double edge_mm) {
  return {6.5 + uniform_open(seed, 0, 1), 6.5 + uniform_open(seed, 0, 2), edge_mm};
}

/// Fresh trials of a disc; a third of the cells may have more of them.
inline SuccessMap drawn_map(const SoftDisc& disc, std::uint64_t seed, int trials,
                            int more_in_some = 0) {
  SuccessMap map(kSide, kSide);
  for (std::size_t c = 0; c < map.cells.size(); ++c) {
    const double p = disc.probability(static_cast<int>(c) % 14, static_cast<int>(c) / 14);
    const int n = trials + (c % 3 == 0 ? more_in_some : 0);
    const auto s = CountDistribution::binomial(n, p).quantile(uniform_open(seed, c, 0));
    map.cells[c].by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = s;
    map.cells[c].by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = n - s;
  }
  return map;
}

}  // namespace graspmap::testing
