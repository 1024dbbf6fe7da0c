#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// Something drawn over a heat map: a point, or a line around an ellipse or a rectangle.
struct HeatMark {
  enum class Kind { kPoint, kEllipse, kRectangle };
  enum class Line { kSolid, kDashed };
  Kind kind = Kind::kPoint;
  double x_mm = 0.0;  ///< the centre
  double y_mm = 0.0;
  double half_width_mm = 0.0;  ///< semi-axis, or half side, along x before it is turned
  double half_height_mm = 0.0;
  double angle_rad = 0.0;   ///< turned counter-clockwise by this much about the centre
  std::string label;        ///< any text, drawn beside it; may be empty
  std::string legend = {};  ///< any text, what it means, below the panels; may be empty
  Line line = Line::kSolid;
};

/// Something to scale, as a part or fingers, drawn over a heat map with thin lines.
struct HeatDrawing {
  std::vector<Points> lines;  ///< in mm
  std::string legend = {};    ///< any text, what it is, below the panels; may be empty
};

enum class HeatScale {
  kProbability,  ///< 0 to 1, viridis
  kShare,        ///< 0 to 1, viridis; cells with value 0 are left white
  kDifference,   ///< -most to most, blue, white, red
  kFromZero,     ///< 0 to most, white to dark blue
  kClasses       ///< the number of a class, from 0: white, then colours; no bar, but a legend
};

inline constexpr std::size_t kMostClasses = 8;

/// How values become colours. Panels with equal colours share one range and colour bar.
struct HeatColours {
  HeatScale scale = HeatScale::kProbability;
  std::string label;           ///< of the colour bar, with the unit: any text
  std::optional<double> most;  ///< > 0, ends the scale (values beyond take its end colour); without
                               ///< it, the largest magnitude in the panels. Not for 0 to 1.
  std::vector<std::string> classes = {};  ///< what they are, at most kMostClasses: any text

  bool operator==(const HeatColours&) const = default;
};

/// A value for each cell of a grid, x fastest; NaN: nothing known (hatched).
struct HeatPanel {
  std::string title;  ///< any text
  Axis x_mm;          ///< panels may have different grids
  Axis y_mm;
  std::vector<double> values;
  std::vector<HeatMark> marks;         ///< what of them lies outside of the axes is not drawn
  std::vector<HeatDrawing> drawings;   ///< the same
  std::optional<Box> window;           ///< what the axes show; without it, the grid
  std::optional<double> border;        ///< draws the border of the cells with value >= this
  std::optional<HeatColours> colours;  ///< where they are not those of the figure
};

struct HeatPanelsInput {
  std::string name;      ///< of the files: letters, digits, '_'
  std::string title;     ///< any text
  std::string subtitle;  ///< any text
  HeatColours colours;
  std::vector<HeatPanel> panels;    ///< at least one; from left to right and from above
  std::optional<int> columns = {};  ///< panels side by side; without it, what suits their number
  std::string nan_label = "nothing known";  ///< what hatched cells are
  std::string border_label = {};  ///< what outlined cells are; without it, their least value
};

/// Maps side by side, a millimetre as long in y as in x in each, panels with equal grids of equal
/// size, with the colour bars at the right and below them what the hatched and outlined cells and
/// the marks mean. NAME.gp draws NAME.png and NAME.svg from NAME.csv, all
/// in one folder. NAME.csv has a row for each cell, x fastest, panel by panel: panel (1, 2, ...),
/// x_min_mm, x_max_mm, y_min_mm, y_max_mm, value ("nan": nothing known). Infinite values are not
/// allowed, nor a number of values other than that of the cells (std::logic_error).
Figure heat_panels_figure(const HeatPanelsInput& input);

}  // namespace graspmap
