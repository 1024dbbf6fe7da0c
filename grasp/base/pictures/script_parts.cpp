#include "grasp/base/pictures/script_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/text_layout.hpp"

namespace graspmap {
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

std::string lines_expression(const std::vector<std::string>& lines) {
  if (lines.empty()) return "''";
  std::string expression;
  for (const std::string& line : lines) {
    expression += (expression.empty() ? "" : ".\"\\n\".") + gnuplot_string(line);
  }
  return expression;
}

std::string rimmed_lines(const std::string& points, double width) {
  return fmt::format(
      "{0} using 1:2 with lines lw {1} lc rgb 'white', \\\n"
      "       {0} using 1:2 with lines lw {2} lc rgb 'black'",
      points, width + 4.0, width);
}

std::string rimmed_points(const std::string& points, double size) {
  return fmt::format(
      "{0} using 1:2 with points pt 7 ps point_size(picture, {1}) lc rgb 'white', \\\n"
      "       {0} using 1:2 with points pt 7 ps point_size(picture, {2}) lc rgb 'black'",
      points, size + 0.8, size);
}

std::string for_each_picture(const std::string& commands) {
  return "\ndo for [picture in 'png svg'] {\n  eval open_picture(picture)\n" + commands +
         "  unset output\n}\n";
}

}  // namespace graspmap
