#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grasp/base/pictures/heat_panels.hpp"
#include "grasp/sweep/trials/success_map.hpp"

/// Panels of success maps, and what their figures say.

namespace graspmap {

/// A panel of one slice of a grid, with value(number of the cell) in each cell.
template <typename Value>
HeatPanel slice_panel(const CellGrid& grid, int slice, std::string title, const Value& value) {
  HeatPanel panel;
  panel.title = std::move(title);
  panel.x_mm = grid.x_mm;
  panel.y_mm = grid.y_mm;
  const std::size_t end = grid.index(0, 0, slice + 1);
  for (std::size_t cell = grid.index(0, 0, slice); cell < end; ++cell) {
    panel.values.push_back(value(cell));
  }
  return panel;
}

/// A point at the sweet spot, and the square around it; nothing without a sweet spot.
std::vector<HeatMark> sweet_spot_marks(const SweetSpot& spot);

/// The success probability of one slice of a map, with the plateau's outline and, in its slice, the
/// sweet spot.
HeatPanel success_panel(const SuccessMap& map, int slice, std::string title,
                        double plateau_probability, const SweetSpot& spot);

/// "2,000 trials, 10 × 10 cells of 2 × 2 mm", the angles and the number of failed trials.
std::string map_subtitle(const SuccessMap& map);

}  // namespace graspmap
