#pragma once

#include <array>
#include <cstddef>

#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// A cell of the map, counted from 0 along each axis.
struct CellIndex {
  int x = 0;
  int y = 0;
  int theta = 0;
  friend bool operator==(const CellIndex&, const CellIndex&) = default;
};

/// The cells of a map. They are numbered from 0: x fastest, then y, then theta.
struct CellGrid {
  Axis x_mm;
  Axis y_mm;
  Axis theta_rad = fixed_angle(0.0);  ///< the part's angle in the gripper's frame at the start

  [[nodiscard]] int cell_count() const { return x_mm.cells * y_mm.cells * theta_rad.cells; }
  [[nodiscard]] std::array<Axis, 3> axes() const { return {x_mm, y_mm, theta_rad}; }
  /// The number of cell (i, j) of slice k.
  [[nodiscard]] std::size_t index(int i, int j, int k = 0) const {
    const int number = (k * y_mm.cells + j) * x_mm.cells + i;
    return static_cast<std::size_t>(number);
  }
  /// The cell of this number.
  [[nodiscard]] CellIndex cell(std::size_t number) const {
    const auto n = static_cast<int>(number);
    const int row = n / x_mm.cells;
    return {n % x_mm.cells, row % y_mm.cells, row / y_mm.cells};
  }
};

}  // namespace graspmap
