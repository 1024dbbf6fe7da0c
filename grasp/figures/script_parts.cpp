#include "grasp/figures/script_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/config/angle_words.hpp"
#include "grasp/figures/text_layout.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace {

/// A cell of map.csv.
constexpr const char* kMapCells = R"gp(
# A cell: its centre, the trials that count, the success probability among them.
x_center(n) = (column('x_min_mm') + column('x_max_mm')) / 2
y_center(n) = (column('y_min_mm') + column('y_max_mm')) / 2
counted(n) = column('trials') - column('failed')
probability(n) = counted(n) > 0 ? column('success') / counted(n) : NaN
)gp";

/// Makes the functions of a cell undefined, so that it is not drawn, where it is not in the slice.
std::string slice_part(int cell_theta) {
  return fmt::format(
      "\n# One angle only: the cells of this slice.\n"
      "slice = {}\n"
      "x_center(n) = column('cell_theta') == slice \\\n"
      "    ? (column('x_min_mm') + column('x_max_mm')) / 2 : NaN\n",
      cell_theta);
}

std::string cell_size(const SuccessMap& map) {
  return short_mm(map.x_mm.cell_size()) + " × " + short_mm(map.y_mm.cell_size()) + " mm";
}

/// The map's angles; nothing for one fixed angle.
std::string angles(const Axis& theta) {
  if (theta.is_fixed()) return "";
  const std::string half_cell = short_angle(theta.cell_size() / 2);
  if (theta.cells > 1) return fmt::format(", at {} angles ± {} rad each", theta.cells, half_cell);
  return fmt::format(", at θ = {} ± {}", angle_label(theta.cell_center(0)), half_cell);
}

std::string subtitle(const SuccessMap& map) {
  const CellCounts total = map.total();
  std::string text =
      fmt::format("{} trials, {} × {} cells of {}{}", grouped(total.trials()), map.x_mm.cells,
                  map.y_mm.cells, cell_size(map), angles(map.theta_rad));
  if (total.count(Outcome::kFailed) > 0) {
    text += fmt::format("; {} failed, not counted", grouped(total.count(Outcome::kFailed)));
  }
  return text;
}

}  // namespace

const char* const kViridis = R"gp(defined ( \
    0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', \
    5 '#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725'))gp";

const char* const kPictures = R"gp(
set encoding utf8
set datafile separator comma
set datafile columnheaders

driver(picture) = picture eq 'png' ? 'pngcairo' : 'svg'
open_picture(picture) = sprintf( \
    "set terminal %s size %d,%d rounded font '%s,%d' background rgb 'white'; set output '%s.%s'", \
    driver(picture), canvas_width, canvas_height, font, font_size, figure, picture)
point_size(picture, size) = picture eq 'png' ? size : size / 2  # SVG's points are larger
)gp";

MapPixels fit_map(const Axis& x, const Axis& y, double box_width, double box_height) {
  const double width_mm = x.max - x.min;
  const double height_mm = y.max - y.min;
  const double scale = std::min(box_width / width_mm, box_height / height_mm);
  return {scale * width_mm, scale * height_mm};
}

MapPixels fit_map(const SuccessMap& map, double box_width, double box_height) {
  return fit_map(map.x_mm, map.y_mm, box_width, box_height);
}

double tick_step(double range, double intervals) {
  const double least = range / intervals;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

double tick_labels_width(double low, double high, double step) {
  double width = 0.0;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    width = std::max(width, text_width_px(fmt::format("{:.6g}", k * step + 0.0), kFontPx));
  }
  return width;
}

double axis_tick_step(const Axis& axis, double pixels) {
  constexpr double kPixelsPerLabel = 75.0;
  constexpr double kBetweenLabels = 20.0;
  const double range = axis.max - axis.min;
  double intervals = std::clamp(pixels / kPixelsPerLabel, 1.0, 10.0);
  double step = tick_step(range, intervals);
  const auto overlap = [&] {
    return tick_labels_width(axis.min, axis.max, step) + kBetweenLabels > step / range * pixels;
  };
  while (overlap() && intervals >= 2.0) step = tick_step(range, intervals -= 1.0);
  return step;
}

double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= value * (1.0 + 1e-9)) return factor * power;
  }
  return power;
}

std::string grouped(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
    text += digits[k];
  }
  return text;
}

std::string short_mm(double value_mm) {
  constexpr double kNanometres = 1e6;
  return fmt::format("{:.4g}", std::round(value_mm * kNanometres) / kNanometres + 0.0);
}

std::string script_start(const std::string& name, const std::string& purpose,
                         const std::string& title, const std::string& subtitle,
                         const Canvas& canvas) {
  return fmt::format(
      "# {}\n# Restyle it and run it again in this folder: gnuplot {}.gp\n\n"
      "figure = '{}'\nname = {}\nsubtitle = {}\n"
      "canvas_width = {}\ncanvas_height = {}\nfont = 'DejaVu Sans'\nfont_size = 18\n",
      purpose, name, name, title, subtitle, canvas.width, canvas.height);
}

std::string script_head(const FigureInput& input, const std::string& name,
                        const std::string& purpose, const Canvas& canvas) {
  return script_start(name, purpose, gnuplot_string(input.title),
                      gnuplot_string(subtitle(input.map)), canvas) +
         "map = '../map.csv'\n" + kPictures +
         "\n# Viridis: even steps of lightness, also for colour-blind eyes and in grey.\n" +
         fmt::format("set palette {}\nset cbrange [0:1]\n", kViridis) + kMapCells +
         (input.cell_theta ? slice_part(*input.cell_theta) : "");
}

std::string map_axes(const SuccessMap& map, const MapPixels& pixels) {
  return fmt::format(
      "\nset size ratio -1  # a millimetre is as long in y as in x\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\n"
      "set xtics {} out nomirror\nset ytics {} out nomirror\n"
      "set xlabel 'placement x (mm)'\nset ylabel 'placement y (mm)'\n",
      map.x_mm.min, map.x_mm.max, map.y_mm.min, map.y_mm.max,
      axis_tick_step(map.x_mm, pixels.width), axis_tick_step(map.y_mm, pixels.height));
}

std::string lines_expression(const std::vector<std::string>& lines) {
  if (lines.empty()) return "''";
  std::string expression;
  for (const std::string& line : lines) {
    expression += (expression.empty() ? "" : ".\"\\n\".") + gnuplot_string(line);
  }
  return expression;
}

std::string rimmed_lines(const std::string& points, double width, const std::string& title) {
  return fmt::format(
      "{0} using 1:2 with lines lw {1} lc rgb 'white' notitle, \\\n"
      "       {0} using 1:2 with lines lw {2} lc rgb 'black' title {3} noenhanced",
      points, width + 4.0, width, title);
}

std::string rimmed_points(const std::string& points, const std::string& title) {
  return fmt::format(
      "{0} using 1:2 with points pt 7 ps point_size(picture, 2.6) lc rgb 'white' notitle, \\\n"
      "       {0} using 1:2 with points pt 7 ps point_size(picture, 1.8) lc rgb 'black' title {1} "
      "noenhanced",
      points, title);
}

std::string for_each_picture(const std::string& commands) {
  return "\ndo for [picture in 'png svg'] {\n  eval open_picture(picture)\n" + commands +
         "  unset output\n}\n";
}

bool has_uncounted_cell(const SuccessMap& map) {
  return std::any_of(map.cells.begin(), map.cells.end(),
                     [](const CellCounts& cell) { return cell.valid_trials() == 0; });
}

}  // namespace graspmap
