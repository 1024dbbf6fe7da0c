#include "grasp/config/placement_sweep.hpp"

namespace graspmap {

CellIndex cell_of_trial(const PlacementSweep& placement, std::int64_t index) {
  const auto cell = static_cast<int>(index % placement.cells());
  const int row = cell / placement.x.cells;
  return {cell % placement.x.cells, row % placement.y.cells, row / placement.y.cells};
}

}  // namespace graspmap
