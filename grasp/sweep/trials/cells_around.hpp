#pragma once

#include <algorithm>

#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Calls visit(index) for a cell of a grid and those at its sides, edges and corners: x fastest,
/// then y, then theta.
template <typename Visit>
void for_cells_around(const CellGrid& grid, const CellIndex& cell, const Visit& visit) {
  const auto [i, j, k] = cell;
  for (int c = std::max(k - 1, 0); c <= std::min(k + 1, grid.theta_rad.cells - 1); ++c) {
    for (int b = std::max(j - 1, 0); b <= std::min(j + 1, grid.y_mm.cells - 1); ++b) {
      for (int a = std::max(i - 1, 0); a <= std::min(i + 1, grid.x_mm.cells - 1); ++a) {
        visit(CellIndex{a, b, c});
      }
    }
  }
}

}  // namespace graspmap
