#pragma once

#include <array>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"

/// The numbers behind what one says about a success map: its plateau, its sweet spot, how sharply
/// success drops off around it, and where it is low.

namespace graspmap {

/// A success probability for each cell of a grid, x fastest; NaN: nothing known.
struct ProbabilityGrid {
  Axis x_mm;
  Axis y_mm;
  std::vector<double> values;

  [[nodiscard]] double at(int i, int j) const {
    return values[static_cast<std::size_t>(j * x_mm.cells + i)];
  }
};

/// The sides of the plateau, seen from the sweet spot. Behind is towards +y, where the jaws grasp
/// nearly opposite points of a part; in front is towards -y.
enum class Side { kLeft, kRight, kFront, kBehind };
inline constexpr std::array kSides = {Side::kLeft, Side::kRight, Side::kFront, Side::kBehind};

/// "left (-x)", "right (+x)", "front (-y)", "behind (+y)".
const char* name(Side side);

/// What lies on a line from a point outwards, in mm along it; NaN where there is no such thing
/// inside the map.
struct SideShape {
  /// The distance between p = 0.9, where success first falls below it, and p = 0.1, where it first
  /// falls below that.
  double drop_off_mm;
  double low_begins_mm;  ///< from the point to where p first falls below 0.5
  double low_extent_mm;  ///< from there to where p rises to 0.5 again, or to the map's edge
};

/// The shape along the line from (x_mm, y_mm) towards a side. p is interpolated linearly between
/// the centres of the cells that the line runs through; where it runs along the border of two rows
/// of cells, their mean counts (or the one that is known). The line begins at the first centre at
/// or beyond the point, and ends at the map's edge or before the first cell where nothing is known.
/// A drop-off from 1 to 0 between two neighbours measures 0.8 cells: no width below that can be
/// told.
SideShape side_shape(const ProbabilityGrid& map, double x_mm, double y_mm, Side side);

/// The area of the cells with p >= threshold, in mm^2.
double plateau_area_mm2(const ProbabilityGrid& map, double threshold);

/// The area of the cells with p >= threshold in both maps over that of those with p >= threshold in
/// at least one; NaN when there are none. The maps have one grid; cells that one of them does not
/// know do not count.
double plateau_overlap(const ProbabilityGrid& a, const ProbabilityGrid& b, double threshold);

}  // namespace graspmap
