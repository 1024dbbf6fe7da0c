#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// The size of a picture in pixels.
struct Canvas {
  int width = 1200;
  int height = 1150;
};

/// The largest extent, in pixels, that a map keeps its proportions in.
struct MapPixels {
  double width = 0.0;
  double height = 0.0;
};

/// The area of a grid scaled to fit a box.
MapPixels fit_map(const Axis& x, const Axis& y, double box_width, double box_height);

/// The step of 1, 2 or 5 times a power of ten with which `range` has at most `intervals` intervals.
double tick_step(double range, double intervals);

/// Pictures' letters and lines are this high, in pixels, at the scripts' font size of 18 (in PNG;
/// in SVG they are smaller).
inline constexpr double kFontPx = 24.0;
inline constexpr double kLinePx = 28.0;

/// The width of the longest of the labels of ticks from `low` to `high`, in pixels.
double tick_labels_width(double low, double high, double step);

/// The tick step of an axis that is `pixels` long, with room for the labels.
double axis_tick_step(const Axis& axis, double pixels);

/// The largest 1, 2 or 5 times a power of ten that is at most `value` > 0.
double round_below(double value);

/// A count, 100800, as "100,800".
std::string grouped(std::int64_t number);

/// A length or position with four digits, without the noise of rounding ("0", not "-1e-16").
std::string short_mm(double value_mm);

/// How every script begins: what it draws and the values to restyle. `purpose` is its first comment
/// line; title and subtitle are gnuplot expressions.
std::string script_start(const std::string& name, const std::string& purpose,
                         const std::string& title, const std::string& subtitle,
                         const Canvas& canvas);

/// Viridis: even steps of lightness, also for colour-blind eyes and in grey. What follows
/// "set palette".
extern const char* const kViridis;

/// How a script reads data and opens its pictures.
extern const char* const kPictures;

/// Lines of text as a gnuplot expression.
std::string lines_expression(const std::vector<std::string>& lines);

/// Black lines with a white rim, to be seen on any colour. `points` names data with columns x, y.
std::string rimmed_lines(const std::string& points, double width);

/// Black points with a white rim.
std::string rimmed_points(const std::string& points, double size);

/// Runs `commands` once for the PNG and once for the SVG.
std::string for_each_picture(const std::string& commands);

}  // namespace graspmap
