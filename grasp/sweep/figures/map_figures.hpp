#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_panels.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Panels of success maps, what their figures say, and tables of their cells.

/// The first columns of a table with a row for each cell.
Object cell_fields(const CellGrid& grid, std::size_t cell);

/// The counts of the outcomes, by their words.
Object count_fields(const CellCounts& counts);

/// Whether there is a sweet spot, and where: with `angles`, and `more` at the end.
Object sweet_spot_fields(const SweetSpot& spot, const Object& more, const Object& angles);
/// The same with the angle of its cell.
Object sweet_spot_fields(const SweetSpot& spot, const Object& more);

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

/// The success probability of one slice of a map, with the plateau's border and, in its slice, the
/// sweet spot.
HeatPanel success_panel(const SuccessMap& map, int slice, std::string title,
                        double plateau_probability, const SweetSpot& spot);

/// "2,000 trials, 10 × 10 cells of 2 × 2 mm", the angles and the number of failed trials.
std::string map_subtitle(const SuccessMap& map);

/// What the figures of one run show.
struct FigureInput {
  const SuccessMap& map;
  SweetSpot sweet_spot;
  double plateau_probability = 0.95;   ///< whose border the success map shows
  std::string title;                   ///< any text
  const Scenario* scenario = nullptr;  ///< draws the part, and the fingers at the sweet spot
};

/// Draws part and fingers, where there is a scenario, into the panels of a figure of one slice: the
/// sweet spot's, or the middle one.
void draw_one_grasp(const FigureInput& input, std::vector<HeatPanel>& panels);

/// The heat map of success probability with the plateau's border and the sweet spot. Each angle
/// has a panel; the sweet spot is marked in its own. With more than 25 angles every second, third,
/// ... is drawn, the sweet spot's among them.
Figure success_map_figure(const FigureInput& input);

/// The 3-D histogram, a bar on each cell, in the manner of Fig. 10 of Chakraborty et al. 2014.
Figure histogram_figure(const FigureInput& input);

/// The same for the cells with x >= 0, which shows the section at x = 0; nothing without such
/// cells.
std::optional<Figure> half_histogram_figure(const FigureInput& input);

/// One map for each outcome that occurs, of its share of all trials of a cell, for a map of one
/// cell of angles.
Figure outcomes_figure(const FigureInput& input);

/// The number of trials in each cell with the sweet spot; nothing when all have the same, or one
/// more than others.
std::optional<Figure> trials_figure(const FigureInput& input);

/// The axes of a 3-D histogram of the cells [first_x, x.cells).
std::string histogram_axes(const SuccessMap& map, int first_x);

/// By how much its view is larger than that of a square map, to fill a picture of the same size.
double histogram_size(const SuccessMap& map, int first_x);

/// What follows the axes, where view_size is defined: the view, and bars whose sides are darker
/// than their tops.
extern const char* const kHistogramBars;

/// How faces (bar_faces_csv) are drawn: what follows "splot DATA".
extern const char* const kHistogramFaces;

/// The first column of cells with centre at x >= 0; the number of columns without such a cell.
int first_right_column(const Axis& x);

/// The cells [first_x, x.cells) of a map as the visible faces of bars of height p, as CSV for
/// gnuplot's pm3d: columns x_mm, y_mm, height, probability, face (0 top, 1 facing along x, 2 facing
/// along y, 3 the floor of a cell without counted trials); a face is two scans of two corners. A
/// side reaches down to the neighbour's top: what the neighbour hides is left out.
std::string bar_faces_csv(const SuccessMap& map, int first_x);

}  // namespace graspmap
