#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grasp/config/angle_words.hpp"
#include "grasp/figures/figure.hpp"
#include "grasp/figures/map_layers.hpp"
#include "grasp/figures/outline.hpp"
#include "grasp/figures/script_parts.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace {

constexpr int kMostPanels = 25;

/// How the panels lie on the canvas, in pixels.
struct Layout {
  int rows = 1;
  int columns = 1;
  MapPixels map;  ///< of one panel
};

constexpr Canvas kBox{1500, 950};        ///< all panels fit in this box
constexpr Canvas kLargeBox{2000, 1500};  ///< that of more than kManyPanels
constexpr int kManyPanels = 12;
constexpr int kLeastWidth = 300;   ///< of a panel, for its title
constexpr int kLeastHeight = 230;  ///< for the long label of y
constexpr int kLeft = 120;
constexpr int kRight = 180;  ///< with the colour box
constexpr int kHeadHeight = 150;
constexpr int kAxis = 100;  ///< below the panels
constexpr int kLegendLine = 34;
constexpr int kLegendEdge = 15;  ///< below the legend
constexpr int kBetweenColumns = 55;
constexpr int kBetweenRows = 80;

/// The slices that are drawn: all, or every n-th.
std::vector<int> shown_slices(const FigureInput& input) {
  const int cells = input.map.theta_rad.cells;
  const int step = (cells + kMostPanels - 1) / kMostPanels;
  std::vector<int> slices;
  for (int k = input.sweet_spot.cell_theta % step; k < cells; k += step) slices.push_back(k);
  return slices;
}

Canvas box_for(int panels) { return panels > kManyPanels ? kLargeBox : kBox; }

/// The panels in so many columns, as large as the box allows.
Layout in_columns(const SuccessMap& map, int panels, int columns) {
  const Canvas box = box_for(panels);
  const int rows = (panels + columns - 1) / columns;
  return {rows, columns,
          fit_map(map, static_cast<double>(box.width) / columns - kBetweenColumns,
                  static_cast<double>(box.height) / rows - kBetweenRows)};
}

Layout layout_for(const SuccessMap& map, int panels) {
  Layout best = in_columns(map, panels, 1);
  const int most_columns = box_for(panels).width / (kLeastWidth + kBetweenColumns);
  for (int columns = 2; columns <= std::min(panels, most_columns); ++columns) {
    const Layout layout = in_columns(map, panels, columns);
    if (layout.map.width > best.map.width) best = layout;
  }
  return best;
}

/// The legend: what it is a sign of, and how the sign is drawn.
std::vector<std::string> legend(const FigureInput& input, bool has_plateau) {
  const SweetSpot& spot = input.sweet_spot;
  std::vector<std::string> entries;
  const auto add = [&](const std::string& style, const std::string& title) {
    entries.push_back(
        fmt::format("keyentry with {} title {} noenhanced", style, gnuplot_string(title)));
  };
  if (has_uncounted_cell(input.map)) {
    add("boxes lw 1 lc rgb '#808080' fs pattern 4 border", "no counted trials");
  }
  if (has_plateau) {
    add("lines lw 1.5 lc rgb 'black'", plateau_title(input.plateau_probability));
  }
  if (spot.found) {
    add("lines lw 3.5 lc rgb 'black'", square_title(spot));
    add("points pt 7 ps 1.8 lc rgb 'black'",
        fmt::format("{}, θ = {}", sweet_spot_title(spot), angle_label(spot.theta_rad)));
  }
  return entries;
}

Canvas canvas_for(const Layout& layout, std::size_t legend_lines) {
  const int width = std::max(kLeastWidth, static_cast<int>(layout.map.width));
  return {std::max(1200, kLeft + kRight + layout.columns * width +
                             (layout.columns - 1) * kBetweenColumns),
          kHeadHeight + kAxis + kLegendEdge + static_cast<int>(legend_lines) * kLegendLine +
              layout.rows * static_cast<int>(layout.map.height) + (layout.rows - 1) * kBetweenRows};
}

/// The places of the panels, and the colour box beside them.
std::string places(const Layout& layout, const Canvas& canvas) {
  return fmt::format(
             "\n# Pixels from the canvas' edges, of a panel, and from one to the next.\n"
             "columns = {}\nleft = {}. / canvas_width\ntop = 1 - {}. / canvas_height\n"
             "panel_width = {:.1f} / canvas_width\npanel_height = {:.1f} / canvas_height\n"
             "to_next_column = {:.1f} / canvas_width\nto_next_row = {:.1f} / canvas_height\n",
             layout.columns, kLeft, kHeadHeight, layout.map.width, layout.map.height,
             std::max<double>(layout.map.width, kLeastWidth) + kBetweenColumns,
             layout.map.height + kBetweenRows) +
         fmt::format(
             "right = 1 - {}. / canvas_width\nbottom = top - {} * to_next_row - panel_height\n"
             "y_label = '{}'\nset cbtics {}\nset cblabel 'success probability p'\n",
             kRight, layout.rows - 1,
             layout.map.height < kLeastHeight ? "y (mm)" : "placement y (mm)",
             tick_step(1.0, std::clamp((canvas.height - kHeadHeight - kAxis) / 90.0, 1.0, 10.0)));
}

/// The slices, and a variable with the title of each.
std::string slice_list(const FigureInput& input, const std::vector<int>& slices) {
  std::string titles;
  for (const int k : slices) {
    titles +=
        fmt::format("title_{} = 'θ = {}'\n", k, angle_label(input.map.theta_rad.cell_center(k)));
  }
  const auto shown = static_cast<int>(slices.size());
  const std::string note = shown == input.map.theta_rad.cells
                               ? ""
                               : fmt::format("subtitle = subtitle.', {} of them shown'\n", shown);
  return fmt::format("\n{}slices = '{}'\ncells = {}  # of a slice\n{}", note,
                     fmt::join(slices, " "), input.map.x_mm.cells * input.map.y_mm.cells, titles);
}

/// The cells and what is drawn over them, each only in the panel where it belongs.
constexpr const char* kSliceFunctions = R"gp(
# What is drawn in the panel of a slice: its cells, its outline, the sweet spot if it is there.
x_center(n) = column('cell_theta') == slice ? (column('x_min_mm') + column('x_max_mm')) / 2 : NaN
outline_x(n) = column('cell_theta') == slice ? column('x_mm') : NaN
spot_x(n) = slice == spot_slice ? column(1) : NaN
)gp";

/// Black lines or points with a white rim, to be seen on any colour.
std::vector<std::string> rimmed(const std::string& points, const std::string& wide,
                                const std::string& narrow) {
  return {fmt::format("{} with {} lc rgb 'white'", points, wide),
          fmt::format("{} with {} lc rgb 'black'", points, narrow)};
}

/// What is drawn in a panel, from below to above.
std::vector<std::string> layers(const FigureInput& input, bool has_plateau) {
  // Reading the rows of the slice only, as they lie in the file, saves much of the time.
  const std::string rows = "map every ::(slice * cells)::((slice + 1) * cells - 1) \\\n         ";
  std::vector<std::string> result{rows + kProbabilityCells};
  const auto add = [&](const std::vector<std::string>& more) {
    result.insert(result.end(), more.begin(), more.end());
  };
  if (has_uncounted_cell(input.map)) result.push_back(rows + kUncountedCells);
  if (has_plateau) {
    add(rimmed("figure.'.csv' using (outline_x(0)):'y_mm'", "lines lw 4", "lines lw 1.5"));
  }
  if (input.sweet_spot.found) {
    add(rimmed("$square using (spot_x(0)):2", "lines lw 6", "lines lw 3"));
    add(rimmed("$sweet_spot using (spot_x(0)):2", "points pt 7 ps 2.2", "points pt 7 ps 1.4"));
  }
  return result;
}

constexpr const char* kPanels = R"gp(
  set multiplot title name."\n".subtitle noenhanced
  set colorbox user origin screen right + 40. / canvas_width, bottom \
      size screen 30. / canvas_width, top - bottom
  set border
  unset key
  do for [p = 0:words(slices) - 1] {
    slice = int(word(slices, p + 1))
    panel_left = left + (p % columns) * to_next_column
    panel_top = top - (p / columns) * to_next_row
    set margins at screen panel_left, screen panel_left + panel_width, \
        screen panel_top - panel_height, screen panel_top
    is_left = p % columns == 0
    is_lowest = p + columns >= words(slices)
    set xlabel (is_lowest ? 'placement x (mm)' : '')
    set ylabel (is_left ? y_label : '')
    set format x (is_lowest ? '%h' : '')
    set format y (is_left ? '%h' : '')
    set title value('title_'.slice) noenhanced
    plot )gp";

/// A plot of nothing but the key, below the panels.
std::string legend_plot(const std::vector<std::string>& entries) {
  if (entries.empty()) return "";
  return fmt::format(
      "  set size noratio\n  unset title\n  unset border\n  unset xtics\n  unset ytics\n"
      "  unset xlabel\n  unset ylabel\n"
      "  set margins at screen left, screen right, screen {}. / canvas_height, \\\n"
      "      screen {}. / canvas_height\n"
      "  set key center center vertical Left reverse invert samplen 2\n"
      "  plot NaN notitle, \\\n       {}\n",
      kLegendEdge, kLegendEdge + static_cast<int>(entries.size()) * kLegendLine,
      fmt::join(entries, ", \\\n       "));
}

/// The outlines as polylines separated by blank lines.
std::string outlines_csv(const FigureInput& input, const std::vector<int>& slices) {
  std::string csv = "cell_theta,x_mm,y_mm\n";
  for (const int k : slices) {
    for (const Segment& line : plateau_outline(input.map.slice(k), input.plateau_probability)) {
      csv += fmt::format("{0},{1},{2}\n{0},{3},{4}\n\n", k, line.x1_mm, line.y1_mm, line.x2_mm,
                         line.y2_mm);
    }
  }
  return csv;
}

}  // namespace

Figure angle_maps_figure(const FigureInput& input) {
  const std::vector<int> slices = shown_slices(input);
  const Layout layout = layout_for(input.map, static_cast<int>(slices.size()));
  const bool has_plateau = find_plateau(input.map, input.plateau_probability).cells > 0;
  const std::vector<std::string> entries = legend(input, has_plateau);
  const Canvas canvas = canvas_for(layout, entries.size());
  std::string script =
      script_head(input, "success_map", "The success probability of each cell, angle by angle.",
                  canvas) +
      places(layout, canvas) + slice_list(input, slices) + kSliceFunctions;
  if (input.sweet_spot.found) {
    script += fmt::format("spot_slice = {}\n", input.sweet_spot.cell_theta) +
              sweet_spot_block(input.sweet_spot);
  }
  // The axes anew for each picture: the legend has none.
  script += for_each_picture(
      map_axes(input.map, layout.map) +
      fmt::format("{}{}\n    unset colorbox\n  }}\n{}  unset multiplot\n", kPanels + 1,
                  fmt::join(layers(input, has_plateau), ", \\\n         "), legend_plot(entries)));
  return {"success_map", script, outlines_csv(input, slices)};
}

}  // namespace graspmap
