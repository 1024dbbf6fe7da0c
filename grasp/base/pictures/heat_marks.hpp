#pragma once

#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/pictures/heat_layout.hpp"
#include "grasp/base/pictures/heat_panels.hpp"

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

}  // namespace graspmap
