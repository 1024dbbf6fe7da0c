#pragma once

#include <functional>
#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/pictures/heat_layout.hpp"
#include "grasp/base/pictures/heat_panels.hpp"
#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// The marks' lines, closed, in mm.
std::vector<std::vector<Vec2>> mark_rings(const std::vector<HeatMark>& marks);

/// A mark's label: lines of text about a centre.
struct MarkLabel {
  std::vector<std::string> lines;
  Vec2 center_px = Vec2::Zero();  ///< from the map's left and lower edges
};

/// Places for the labels beside their marks and off each other, as far as there is room.
std::vector<MarkLabel> place_mark_labels(const HeatPanel& panel, const PanelPlace& place);

/// A label's letters and lines, in pixels, at a font size of 15.
inline constexpr double kLabelFontPx = 20.0;
inline constexpr double kLabelLinePx = 24.0;

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
