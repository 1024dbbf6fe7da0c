#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grasp/figures/figure.hpp"
#include "grasp/figures/map_layers.hpp"
#include "grasp/figures/outline.hpp"
#include "grasp/figures/script_parts.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace {

// Where the map lies on the canvas, in pixels.
constexpr double kMapBox = 860.0;          ///< the map fits in this square
constexpr double kLeastMapHeight = 250.0;  ///< room for the colour box' labels
constexpr int kWidth = 1200;
constexpr int kAbove = 110;   ///< title
constexpr int kBelow = 230;   ///< axis, legend
constexpr int kBeside = 180;  ///< colour box; to the left, the axis needs less
constexpr int kColorBoxGap = 25;
constexpr int kColorBoxWidth = 40;

Canvas canvas_for(const MapPixels& pixels) {
  const double height = std::max(pixels.height, kLeastMapHeight);
  return {kWidth, kAbove + kBelow + static_cast<int>(height)};
}

/// The map's place on the canvas, and the colour box at its side.
std::string places(const MapPixels& pixels) {
  const int right = kBeside + static_cast<int>((kMapBox - pixels.width) / 2.0);
  return fmt::format(
      "\n# Pixels from the canvas' edges.\n"
      "left = {}. / canvas_width\nright = 1 - {}. / canvas_width\n"
      "top = 1 - {}. / canvas_height\nbottom = {}. / canvas_height\n"
      "set margins at screen left, screen right, screen bottom, screen top\n"
      "set colorbox user origin screen right + {}. / canvas_width, bottom \\\n"
      "    size screen {}. / canvas_width, top - bottom\n",
      kWidth - right - static_cast<int>(pixels.width), right, kAbove, kBelow, kColorBoxGap,
      kColorBoxWidth);
}

/// Polylines separated by blank lines.
std::string outline_csv(const std::vector<Segment>& outline) {
  std::string csv = "x_mm,y_mm\n";
  for (const Segment& line : outline) {
    csv += fmt::format("{},{}\n{},{}\n\n", line.x1_mm, line.y1_mm, line.x2_mm, line.y2_mm);
  }
  return csv;
}

/// What is drawn, from below to above.
std::vector<std::string> layers(const FigureInput& input, bool has_plateau) {
  std::vector<std::string> result{fmt::format("map {} notitle", kProbabilityCells)};
  if (has_uncounted_cell(input.map)) {
    result.push_back(fmt::format("map {} title 'no counted trials'", kUncountedCells));
  }
  if (has_plateau) {
    result.push_back(rimmed_lines("figure.'.csv'", 1.5,
                                  gnuplot_string(plateau_title(input.plateau_probability))));
  }
  const SweetSpot& spot = input.sweet_spot;
  if (spot.found) {
    result.push_back(rimmed_lines("$square", 3.5, gnuplot_string(square_title(spot))));
    result.push_back(rimmed_points("$sweet_spot", gnuplot_string(sweet_spot_title(spot))));
  }
  return result;
}

}  // namespace

Figure success_map_figure(const FigureInput& input) {
  const MapPixels pixels = fit_map(input.map, kMapBox, kMapBox);
  const std::vector<Segment> outline = plateau_outline(input.map, input.plateau_probability);
  std::string script = script_head(input, "success_map", "The success probability of each cell.",
                                   canvas_for(pixels));
  script += map_axes(input.map, pixels) + places(pixels);
  if (input.sweet_spot.found) script += sweet_spot_block(input.sweet_spot);
  script += fmt::format(
      "\nset title name.\"\\n\".subtitle noenhanced\n"
      "set cblabel 'success probability p'\nset cbtics {}\n"
      "set key below vertical Left reverse invert samplen 2 maxrows 4\n",
      tick_step(1.0, std::clamp(std::max(pixels.height, kLeastMapHeight) / 60.0, 1.0, 10.0)));
  script += for_each_picture(
      fmt::format("  plot {}\n", fmt::join(layers(input, !outline.empty()), ", \\\n       ")));
  return {"success_map", script, outline_csv(outline)};
}

}  // namespace graspmap
