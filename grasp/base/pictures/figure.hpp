#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/probability/axis.hpp"

namespace graspmap {

/// One figure: NAME.gp draws NAME.png and NAME.svg from NAME.csv, where there is one.
struct Figure {
  std::string name;
  std::string script;
  std::optional<std::string> data;
};

/// About how wide a line of text is in DejaVu Sans, which is wider than most fonts, in pixels.
double text_width_px(std::string_view utf8, double font_size_px);

/// A text in lines of at most `width_px`, broken at blanks; words that are too long and what does
/// not fit into `most_lines` >= 1 lines end with "…".
std::vector<std::string> wrapped(std::string_view utf8, double font_size_px, double width_px,
                                 std::size_t most_lines);

/// `wrapped` with lines of about equal length, as many of them.
std::vector<std::string> balanced(std::string_view utf8, double font_size_px, double width_px,
                                  std::size_t most_lines);

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

/// Lines of points as the data block `name`, in mm.
std::string lines_block(const std::string& name, const std::vector<std::vector<Vec2>>& lines);

/// Black lines with a white rim, to be seen on any colour. `points` names data with columns x, y.
std::string rimmed_lines(const std::string& points, double width, double rim = 4.0);

/// Black points with a white rim.
std::string rimmed_points(const std::string& points, double size);

/// Runs `commands` once for the PNG and once for the SVG.
std::string for_each_picture(const std::string& commands);

/// Where each frame of an animated GIF has its delay: the index of the first of two bytes
/// (hundredths of a second, the low byte first). Throws IoError when the bytes are no complete GIF.
std::vector<std::size_t> gif_delays(std::string_view gif);

/// The bytes of the animated GIF that a gnuplot script draws into the file `output` of its folder,
/// with the last frame held for `hold_s`. The script runs in a temporary folder. `gnuplot` is a
/// program on the PATH or a path. Throws IoError when gnuplot is missing or fails.
std::string drawn_gif(const std::string& script, const std::string& output, double hold_s,
                      const std::string& gnuplot);

/// The bytes of the PNG file that a gnuplot script draws, in the same way.
std::string drawn_png(const std::string& script, const std::string& output);

/// Draws figures into `folder`: of each its script NAME.gp, its pictures NAME.png and NAME.svg and,
/// where it has data, NAME.csv. They are made in a folder FOLDER.partial beside it, so the folder
/// that `folder` lies in must be there, and scripts may read ../FILE. Nothing is put into `folder`
/// until all figures are complete; other files in it are left alone. `gnuplot` is a program on the
/// PATH or a path. The same figures give the same files, byte for byte. Throws IoError when gnuplot
/// is missing or fails, or when a file cannot be written.
void draw_figures(const std::filesystem::path& folder, const std::vector<Figure>& figures,
                  const std::string& gnuplot = "gnuplot");

}  // namespace graspmap
