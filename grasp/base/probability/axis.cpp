#include "grasp/base/probability/axis.hpp"

namespace graspmap {

std::optional<int> Axis::cell_at(double value) const {
  if (!contains(value)) return std::nullopt;
  int i = nearest_cell(value);
  while (i > 0 && value < cell_min(i)) --i;
  while (i + 1 < cells && value >= cell_min(i + 1)) ++i;
  return i;
}

}  // namespace graspmap
