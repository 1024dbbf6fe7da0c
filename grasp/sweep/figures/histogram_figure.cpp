#include <fmt/format.h>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/figures/bar_faces.hpp"
#include "grasp/sweep/figures/histogram_parts.hpp"
#include "grasp/sweep/figures/map_panels.hpp"
#include "grasp/sweep/figures/run_figures.hpp"

namespace graspmap {
namespace {

constexpr Canvas kHistogramCanvas{1200, 1050};

Figure bars(const FigureInput& input, const std::string& name, const std::string& purpose,
            int first_x) {
  const double view_size = first_x > 0 ? 1.35 : 1.15;
  return {name,
          script_start(name, purpose, gnuplot_string(input.title),
                       gnuplot_string(map_subtitle(input.map)), kHistogramCanvas) +
              kPictures + fmt::format("set palette {}\nset cbrange [0:1]\n", kViridis) +
              histogram_axes(input.map, first_x) + fmt::format("view_size = {}\n", view_size) +
              kHistogramBars + "\nset title name.\"\\n\".subtitle noenhanced\n" +
              for_each_picture(fmt::format("  splot figure.'.csv' {}\n", kHistogramFaces)),
          bar_faces_csv(input.map, first_x)};
}

}  // namespace

Figure histogram_figure(const FigureInput& input) {
  return bars(input, "histogram_3d", "The success probability of each cell as the height of a bar.",
              0);
}

std::optional<Figure> half_histogram_figure(const FigureInput& input) {
  const int first_x = first_right_column(input.map.x_mm);
  if (first_x == input.map.x_mm.cells) return std::nullopt;
  FigureInput half = input;
  half.title += ", x ≥ 0";
  return bars(half, "histogram_3d_half",
              "The half with x >= 0: the success probability of each cell as the height of a bar.",
              first_x);
}

}  // namespace graspmap
