#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/heat_panels.hpp"

namespace graspmap {

/// Widths of the lines around outlined cells and marks, and the size of points.
inline constexpr double kOutlineWidth = 1.5;
inline constexpr double kRingWidth = 3.0;
inline constexpr double kPointSize = 1.8;

/// A sign below the panels, and what it means.
struct LegendEntry {
  enum class Sign { kHatched, kOutline, kRing, kPoint };
  Sign sign = Sign::kHatched;
  std::string text;
  double left = 0.0;    ///< in pixels from the canvas' left edge
  double middle = 0.0;  ///< in pixels from its top edge

  /// Of sign and text, in pixels.
  [[nodiscard]] double width() const;
};

/// Whether a cell of the panel is hatched.
bool has_unknown(const HeatPanel& panel);

/// What needs a word, at no place yet: hatched cells, outlined ones where all outlines are at one
/// level, the marks.
std::vector<LegendEntry> legend_entries(const HeatPanelsInput& input);

/// The gnuplot commands that draw the legend.
std::string legend_commands(const std::vector<LegendEntry>& legend);

}  // namespace graspmap
