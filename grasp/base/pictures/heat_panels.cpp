#include "grasp/base/pictures/heat_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_layout.hpp"

namespace graspmap {
namespace {

// YlGnBu and RdBu: ColorBrewer, Cynthia Brewer 2002 (colorbrewer2.org).
constexpr const char* kFromZero = R"gp(defined ( \
    0 '#ffffd9', 1 '#edf8b1', 2 '#c7e9b4', 3 '#7fcdbb', 4 '#41b6c4', \
    5 '#1d91c0', 6 '#225ea8', 7 '#253494', 8 '#081d58'))gp";
constexpr const char* kDifference = R"gp(defined ( \
    0 '#053061', 1 '#2166ac', 2 '#4393c3', 3 '#92c5de', 4 '#d1e5f0', 5 '#f7f7f7', \
    6 '#fddbc7', 7 '#f4a582', 8 '#d6604d', 9 '#b2182b', 10 '#67001f'))gp";

/// What the panels share, after the palettes.
constexpr const char* kFunctions = R"gp(
# A cell: its centre, where it has a value, where that is not 0, where nothing is known.
x_center(n) = (column('x_min_mm') + column('x_max_mm')) / 2
is_known(n) = strcol('value') ne 'nan'
x_known(n) = is_known(0) ? x_center(0) : NaN
x_positive(n) = is_known(0) && column('value') > 0 ? x_center(0) : NaN
x_unknown(n) = is_known(0) ? NaN : x_center(0)
y_center(n) = (column('y_min_mm') + column('y_max_mm')) / 2

# Places are given by left, right, top and bottom, in pixels from the canvas' left and top.
x_screen(pixels) = real(pixels) / canvas_width
y_screen(pixels) = 1 - real(pixels) / canvas_height
map_place(l, r, t, b) = sprintf("set margins at screen %.6f, screen %.6f, screen %.6f, screen %.6f", \
    x_screen(l), x_screen(r), y_screen(b), y_screen(t))
bar_place(l, r, t, b) = sprintf( \
    "set colorbox user origin screen %.6f, screen %.6f size screen %.6f, screen %.6f", \
    x_screen(l), y_screen(b), x_screen(r) - x_screen(l), y_screen(t) - y_screen(b))

set clip two  # of a line both of whose ends lie outside, what is seen
set size ratio -1  # a millimetre is as long in y as in x
set style textbox opaque noborder fillcolor rgb '#30ffffff' margins 0.6, 0.4
set format x '%g'
set format y '%g'
set format cb '%g'
unset key
)gp";

std::string class_steps() {
  std::vector<std::string> steps;
  for (std::size_t k = 0; k < kMostClasses; ++k) {
    steps.push_back(fmt::format("{} '{}'", k, class_colour(k)));
  }
  return fmt::format("{}", fmt::join(steps, ", "));
}

std::string palettes() {
  return fmt::format(
      "\n# Even steps of lightness, also for colour-blind eyes.\n"
      "probability_colours = \"set palette {}\"\n"
      "difference_colours = \"set palette {}\"\n"
      "positive_colours = \"set palette {}\"\n"
      "class_colours = \"set palette maxcolors {} defined ({})\"\n",
      kViridis, kDifference, kFromZero, kMostClasses, class_steps());
}

void check(const HeatPanelsInput& input) {
  if (input.panels.empty()) throw std::logic_error("heat panels: none");
  for (const HeatPanel& panel : input.panels) {
    const auto cells =
        static_cast<std::size_t>(panel.x_mm.cells) * static_cast<std::size_t>(panel.y_mm.cells);
    if (panel.values.size() != cells) throw std::logic_error("heat panels: a value for each cell");
    if (std::any_of(panel.values.begin(), panel.values.end(),
                    [](double value) { return std::isinf(value); })) {
      throw std::logic_error("heat panels: infinite value");
    }
  }
}

/// Rows of all panels, x fastest; of classes with what they are.
std::string cells_csv(const HeatPanelsInput& input) {
  const std::vector<std::string>& classes = input.colours.classes;
  std::string csv = "panel,x_min_mm,x_max_mm,y_min_mm,y_max_mm,value";
  csv += classes.empty() ? "\n" : ",class\n";
  for (std::size_t k = 0; k < input.panels.size(); ++k) {
    const HeatPanel& panel = input.panels[k];
    auto value = panel.values.begin();
    for (int j = 0; j < panel.y_mm.cells; ++j) {
      for (int i = 0; i < panel.x_mm.cells; ++i, ++value) {
        csv += fmt::format("{},{},{},{},{},", k + 1, panel.x_mm.cell_min(i), panel.x_mm.cell_max(i),
                           panel.y_mm.cell_min(j), panel.y_mm.cell_max(j));
        csv += std::isnan(*value) ? "nan" : fmt::format("{}", *value);
        if (!classes.empty()) {
          csv += ',';
          if (!std::isnan(*value)) {
            append_csv_field(csv, classes.at(static_cast<std::size_t>(*value)));
          }
        }
        csv += '\n';
      }
    }
  }
  return csv;
}

std::vector<Points> points_of(const HeatPanel& panel) {
  std::vector<Points> points;
  for (const HeatMark& mark : panel.marks) {
    if (mark.kind == HeatMark::Kind::kPoint) points.push_back({{mark.x_mm, mark.y_mm}});
  }
  return points;
}

/// Around the cells, where the axes show more.
std::vector<Vec2> map_frame(const HeatPanel& panel) {
  const Axis& x = panel.x_mm;
  const Axis& y = panel.y_mm;
  return {{x.min, y.min}, {x.max, y.min}, {x.max, y.max}, {x.min, y.max}, {x.min, y.min}};
}

/// A line of a panel that is drawn from a data block over its cells.
struct Overlay {
  std::string block;
  std::vector<Points> lines;
  std::string layer;
};

/// What lies over the cells of a panel, from below to above.
std::vector<Overlay> overlays(const HeatPanel& panel, std::size_t number) {
  const std::string border = fmt::format("$outline_{}", number);
  const std::string points = fmt::format("$points_{}", number);
  std::vector<Overlay> all;
  if (panel.window) {
    const std::string map = fmt::format("$map_{}", number);
    all.push_back({map, {map_frame(panel)}, map + " using 1:2 with lines lw 0.7 lc rgb '#606060'"});
  }
  for (std::size_t k = 0; k < panel.drawings.size(); ++k) {
    const std::string drawing = fmt::format("$drawing_{}_{}", number, k + 1);
    all.push_back({drawing, panel.drawings[k].lines, rimmed_lines(drawing, kDrawingWidth, 1.6)});
  }
  all.push_back({border, border_of(panel), rimmed_lines(border, kBorderWidth)});
  for (std::size_t dash = 0; dash < kDashes.size(); ++dash) {
    const std::string rings = fmt::format("$lines_{}_{}", number, dash + 1);
    all.push_back({rings, mark_rings(panel.marks, static_cast<HeatMark::Line>(dash)),
                   dash == 0 ? rimmed_lines(rings, kRingWidth)
                             : rimmed_lines(rings, kDashedWidth, 1.6) +
                                   fmt::format(" dt {}", kDashes[dash])});
  }
  all.push_back({points, points_of(panel), rimmed_points(points, kPointSize)});
  std::erase_if(all, [](const Overlay& overlay) { return overlay.lines.empty(); });
  return all;
}

const char* colours_name(HeatScale scale) {
  switch (scale) {
    case HeatScale::kProbability:
    case HeatScale::kShare:
      return "probability_colours";
    case HeatScale::kDifference:
      return "difference_colours";
    case HeatScale::kFromZero:
      return "positive_colours";
    case HeatScale::kClasses:
      return "class_colours";
  }
  return "";
}

std::string place_call(const std::string& function, const PixelBox& box) {
  return fmt::format("  eval {}({:.6g}, {:.6g}, {:.6g}, {:.6g})\n", function, box.left,
                     box.left + box.width, box.top, box.top + box.height);
}

std::string bar_commands(const PanelPlace& place) {
  if (!place.bar) return "  unset colorbox\n";
  return place_call("bar_place", place.bar->box) +
         fmt::format("  set cbtics {:.6g}\n  set cblabel {} noenhanced offset char 0.7, 0\n",
                     place.bar->tick_step, lines_expression(place.bar->label_lines));
}

std::string axes_commands(const HeatPanel& panel, const PanelPlace& place) {
  const auto [x, y] = shown_axes(panel);
  return fmt::format(
      "  set xrange [{}:{}]\n  set yrange [{}:{}]\n"
      "  set xtics {:.6g} out nomirror\n  set ytics {:.6g} out nomirror\n"
      "  set xlabel '{}'\n  set ylabel '{}'\n",
      x.min, x.max, y.min, y.max, axis_tick_step(x, place.map.width),
      axis_tick_step(y, place.map.height), place.has_x_label ? "placement x (mm)" : "",
      place.has_y_label ? "placement y (mm)" : "");
}

/// gnuplot puts the first line's middle at a label's place.
std::string label_commands(const HeatPanel& panel, const PanelPlace& place) {
  std::string commands = "  unset label\n";
  for (const MarkLabel& label : place_mark_labels(panel, place)) {
    const double raised = 0.5 * kLabelLinePx * (static_cast<double>(label.lines.size()) - 1.0);
    commands += fmt::format(
        "  set label {} at graph {:.5g}, graph {:.5g} center boxed front noenhanced "
        "font ',15'\n",
        lines_expression(label.lines), label.center_px.x() / place.map.width,
        (label.center_px.y() + raised) / place.map.height);
  }
  return commands;
}

/// What of the cells in rows [first, first + cells) of the data is drawn: x is NaN elsewhere.
std::string cells_layer(const HeatPanel& panel, std::size_t first, const char* x,
                        const char* style) {
  return fmt::format(
      "data every ::{}::{} using ({}(0)):(y_center(0)):'x_min_mm':'x_max_mm':'y_min_mm':'y_max_mm' "
      "\\\n         {}",
      first, first + panel.values.size() - 1, x, style);
}

std::string plot_command(const HeatPanelsInput& input, std::size_t index, std::size_t first_row) {
  const HeatPanel& panel = input.panels[index];
  const bool is_share = colours_of(input, panel).scale == HeatScale::kShare;
  std::vector<std::string> layers{
      cells_layer(panel, first_row, is_share ? "x_positive" : "x_known",
                  ":'value' with boxxyerror lw 1 lc palette fs solid border")};
  if (has_unknown(panel)) {
    layers.push_back(cells_layer(panel, first_row, "x_unknown",
                                 "with boxxyerror lw 1 lc rgb '#808080' fs pattern 4 border"));
  }
  for (const Overlay& overlay : overlays(panel, index + 1)) layers.push_back(overlay.layer);
  return fmt::format("  plot {}\n", fmt::join(layers, ", \\\n       "));
}

std::string panel_commands(const HeatPanelsInput& input, const HeatLayout& layout,
                           std::size_t index) {
  const HeatPanel& panel = input.panels[index];
  const PanelPlace& place = layout.panels[index];
  const HeatColours& colours = colours_of(input, panel);
  const ColourRange range = colour_range(input, colours);
  return fmt::format("\n  # panel {}\n", index + 1) + place_call("map_place", place.map) +
         fmt::format("  eval {}\n  set cbrange [{:.6g}:{:.6g}]\n", colours_name(colours.scale),
                     range.low, range.high) +
         bar_commands(place) + axes_commands(panel, place) +
         fmt::format("  set title {} noenhanced\n", lines_expression(place.title_lines)) +
         label_commands(panel, place);
}

/// The figure's own title, the panels and the legend.
std::string picture_commands(const HeatPanelsInput& input, const HeatLayout& layout) {
  std::string commands =
      "  set multiplot title name.(strlen(subtitle) > 0 ? \"\\n\" : '').subtitle noenhanced\n"
      "  unset object\n";
  std::size_t row = 0;
  for (std::size_t k = 0; k < input.panels.size(); ++k) {
    commands += panel_commands(input, layout, k);
    if (k + 1 == input.panels.size()) commands += legend_commands(layout.legend);
    commands += plot_command(input, k, row);
    row += input.panels[k].values.size();
  }
  return commands + "  unset multiplot\n";
}

}  // namespace

Figure heat_panels_figure(const HeatPanelsInput& input) {
  check(input);
  const HeatLayout layout = heat_layout(input);
  std::string script = script_start(input.name, "The value of each cell of one or more maps.",
                                    lines_expression(layout.title_lines),
                                    lines_expression(layout.subtitle_lines), layout.canvas) +
                       fmt::format("data = '{}.csv'\n", input.name) + kPictures + palettes() +
                       kFunctions;
  for (std::size_t k = 0; k < input.panels.size(); ++k) {
    for (const Overlay& overlay : overlays(input.panels[k], k + 1)) {
      script += lines_block(overlay.block, overlay.lines);
    }
  }
  return {input.name, script + for_each_picture(picture_commands(input, layout)), cells_csv(input)};
}

}  // namespace graspmap
