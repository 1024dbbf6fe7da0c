#pragma once

#include <cstdint>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/cell_grid.hpp"

namespace graspmap {

/// The placements of a sweep: uniform in each cell, plus noise of the robot.
struct PlacementSweep : CellGrid {
  Distribution noise_x_mm;
  Distribution noise_y_mm;
  Distribution noise_theta_rad;
};

/// The cell of the trial with this index: indices go round the cells, x fastest, then y, then
/// theta.
inline CellIndex cell_of_trial(const CellGrid& placement, std::int64_t index) {
  return placement.cell(static_cast<std::size_t>(index % placement.cell_count()));
}

}  // namespace graspmap
