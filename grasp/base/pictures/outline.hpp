#pragma once

#include <functional>
#include <vector>

#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// A line along cell borders.
struct Segment {
  double x1_mm = 0.0;
  double y1_mm = 0.0;
  double x2_mm = 0.0;
  double y2_mm = 0.0;
};

/// The border of the cells (i, j) of a grid for which `is_in` holds: vertical lines from left to
/// right, then horizontal ones from below, each as long as it can be. The edge of the grid closes
/// it.
std::vector<Segment> cells_outline(const Axis& x, const Axis& y,
                                   const std::function<bool(int, int)>& is_in);

}  // namespace graspmap
