#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_panels.hpp"

namespace graspmap {

/// Widths of the lines of drawings, around outlined cells and marks, and the size of points.
inline constexpr double kDrawingWidth = 1.2;
inline constexpr double kBorderWidth = 1.5;
inline constexpr double kRingWidth = 3.0;
inline constexpr double kDashedWidth = 2.4;  ///< of marks with a dashed line
inline constexpr double kPointSize = 1.8;
/// gnuplot's dash types of the lines of marks.
inline constexpr std::array kDashes{"1", "(12,9)"};

/// The colour of a class, for gnuplot.
const char* class_colour(std::size_t number);

/// A sign below the panels, and what it means.
struct LegendEntry {
  enum class Sign { kClass, kHatched, kDrawing, kBorder, kRectangle, kEllipse, kPoint };
  Sign sign = Sign::kHatched;
  std::string text;
  HeatMark::Line line = HeatMark::Line::kSolid;
  std::size_t number = 0;  ///< of the class
  double left = 0.0;       ///< in pixels from the canvas' left edge
  double middle = 0.0;     ///< in pixels from its top edge

  /// The width of sign and text, in pixels.
  [[nodiscard]] double width() const;
};

/// What the axes of a panel show: along x, along y.
std::array<Axis, 2> shown_axes(const HeatPanel& panel);

/// Whether a cell of the panel is hatched.
bool has_unknown(const HeatPanel& panel);

/// What needs a word, at no place yet: hatched cells, outlined ones where all borders are at one
/// level, the marks.
std::vector<LegendEntry> legend_entries(const HeatPanelsInput& input);

/// The gnuplot commands that draw the legend.
std::string legend_commands(const std::vector<LegendEntry>& legend);

/// A box on the canvas, in pixels from its left and top edges.
struct PixelBox {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;
};

struct ColourBar {
  PixelBox box;
  double tick_step = 0.0;
  std::vector<std::string> label_lines;
};

/// Where one panel lies.
struct PanelPlace {
  PixelBox map;
  std::vector<std::string> title_lines;
  bool has_x_label = false;      ///< no panel below it
  bool has_y_label = false;      ///< no panel to its left
  double room_at_right = 0.0;    ///< free beyond the map's right edge
  std::optional<ColourBar> bar;  ///< none when a neighbour's serves
};

/// Where everything lies in a figure of heat maps.
struct HeatLayout {
  Canvas canvas;
  std::vector<std::string> title_lines;
  std::vector<std::string> subtitle_lines;
  std::vector<PanelPlace> panels;
  double legend_top = 0.0;  ///< below the panels
  std::vector<LegendEntry> legend;
};

/// The colours of a panel: its own or the figure's.
const HeatColours& colours_of(const HeatPanelsInput& input, const HeatPanel& panel);

/// The range that colours stand for.
struct ColourRange {
  double low = 0.0;
  double high = 1.0;
};

ColourRange colour_range(const HeatPanelsInput& input, const HeatColours& colours);

/// Panels in rows. Panels of equal colours that follow each other in a row share the bar at their
/// right end; if all have equal colours, one bar stands at the right of all.
HeatLayout heat_layout(const HeatPanelsInput& input);

/// The marks' lines of one kind, closed, in mm.
std::vector<Points> mark_rings(const std::vector<HeatMark>& marks, HeatMark::Line line);

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

/// The border of the cells (i, j) of a grid for which `is_in` holds: vertical lines from left to
/// right, then horizontal ones from below, each as long as it can be, by its two ends in mm. The
/// edge of the grid closes it.
std::vector<Points> cells_border(const Axis& x, const Axis& y,
                                 const std::function<bool(int, int)>& is_in);
/// That of the cells whose border a panel draws.
std::vector<Points> border_of(const HeatPanel& panel);

}  // namespace graspmap
