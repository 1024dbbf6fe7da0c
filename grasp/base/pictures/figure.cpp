#include "grasp/base/pictures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "geometry/assert.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/gnuplot.hpp"

namespace graspmap {
namespace {

constexpr std::string_view kEllipsis = "…";

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// In units of the font's size; the middle of each class of letters, rounded up.
double character_width(char c) {
  constexpr std::string_view kNarrow = "ijl.,:;'|!I ";
  constexpr std::string_view kSlim = "frt()-/[]\"";
  constexpr std::string_view kWide = "mwMWQGDHNOU@%_&<>=+";
  if (kNarrow.find(c) != std::string_view::npos) return 0.32;
  if (kSlim.find(c) != std::string_view::npos) return 0.42;
  if (kWide.find(c) != std::string_view::npos) return 0.88;
  return static_cast<unsigned char>(c) < 0x80 ? 0.65 : 0.95;
}

/// The text without its last character.
void drop_last(std::string& text) {
  while (!text.empty() && !starts_character(text.back())) text.pop_back();
  if (!text.empty()) text.pop_back();
}

/// The text, shortened until it fits with an ellipsis behind it.
std::string shortened(std::string text, double font_size_px, double width_px) {
  const double ellipsis = text_width_px(kEllipsis, font_size_px);
  while (!text.empty() && text_width_px(text, font_size_px) + ellipsis > width_px) drop_last(text);
  return text.append(kEllipsis);
}

bool is_cut(const std::string& line) { return line.ends_with(kEllipsis); }

}  // namespace

double text_width_px(std::string_view utf8, double font_size_px) {
  double width = 0.0;
  for (const char c : utf8) {
    if (starts_character(c)) width += character_width(c);
  }
  return width * font_size_px;
}

std::vector<std::string> wrapped(std::string_view utf8, double font_size_px, double width_px,
                                 std::size_t most_lines) {
  GRASPMAP_CHECK(most_lines >= 1);
  const auto fits = [&](const std::string& text) {
    return text_width_px(text, font_size_px) <= width_px;
  };
  std::vector<std::string> lines;
  std::istringstream words{std::string(utf8)};
  for (std::string word; words >> word;) {
    if (!fits(word)) word = shortened(word, font_size_px, width_px);
    if (!lines.empty() && fits(lines.back() + " " + word)) {
      lines.back() += " " + word;
    } else if (lines.size() < most_lines) {
      lines.push_back(word);
    } else {
      lines.back() = shortened(lines.back(), font_size_px, width_px);
      break;
    }
  }
  return lines;
}

std::vector<std::string> balanced(std::string_view utf8, double font_size_px, double width_px,
                                  std::size_t most_lines) {
  const std::vector<std::string> widest = wrapped(utf8, font_size_px, width_px, most_lines);
  std::vector<std::string> lines = widest;
  // Narrower as long as there are no more lines, and no word is cut.
  for (double width = 0.97 * width_px; width > 0.3 * width_px; width *= 0.97) {
    std::vector<std::string> narrower = wrapped(utf8, font_size_px, width, most_lines + 1);
    const bool is_same =
        narrower.size() == widest.size() && std::none_of(narrower.begin(), narrower.end(), is_cut);
    if (!is_same) break;
    lines = std::move(narrower);
  }
  return lines;
}

const char* const kViridis = R"gp(defined ( \
    0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', \
    5 '#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725'))gp";

const char* const kPictures = R"gp(
set encoding utf8
set datafile separator comma
set datafile columnheaders
set format x '%g'  # the default has a space for a sign, which moves labels off their ticks
set format y '%g'

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
  const double first = std::ceil(low / step - 1e-9);
  const double most = 1.0 + (high - low) / step;  // far from 0, first + 1 == first
  for (int i = 0; i <= most && (first + i) * step <= high + 1e-9 * step; ++i) {
    width =
        std::max(width, text_width_px(fmt::format("{:.6g}", (first + i) * step + 0.0), kFontPx));
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

std::string lines_block(const std::string& name, const std::vector<std::vector<Vec2>>& lines) {
  std::string block = "\n" + name + " << EOD\nx_mm,y_mm\n";
  for (const std::vector<Vec2>& line : lines) {
    for (const Vec2& point : line) block += fmt::format("{:.7g},{:.7g}\n", point.x(), point.y());
    block += "\n";
  }
  return block + "EOD\n";
}

std::string rimmed_lines(const std::string& points, double width, double rim) {
  return fmt::format(
      "{0} using 1:2 with lines lw {1} lc rgb 'white', \\\n"
      "       {0} using 1:2 with lines lw {2} lc rgb 'black'",
      points, width + rim, width);
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

/// Goes through the blocks of a GIF (GIF89a specification).
std::vector<std::size_t> gif_delays(std::string_view gif) {
  constexpr std::size_t kScreenFlags = 10;
  constexpr unsigned kTrailer = 0x3b;
  constexpr unsigned kExtension = 0x21;
  constexpr unsigned kGraphicControl = 0xf9;
  constexpr unsigned kImage = 0x2c;
  const auto check = [](bool is_gif) {
    if (!is_gif) throw IoError("the animation is not complete; is the disk full?");
  };
  const auto byte = [&](std::size_t at) -> unsigned {
    check(at < gif.size());
    return static_cast<unsigned char>(gif[at]);
  };
  const auto color_table_size = [](unsigned flags) -> std::size_t {
    return (flags & 0x80u) != 0 ? 3u << ((flags & 7u) + 1u) : 0u;
  };
  check(gif.starts_with("GIF89a"));
  std::vector<std::size_t> delays;
  std::size_t position = 13 + color_table_size(byte(kScreenFlags));
  while (byte(position) != kTrailer) {
    if (byte(position) == kExtension) {
      if (byte(position + 1) == kGraphicControl) delays.push_back(position + 4);
      position += 2;
    } else {
      check(byte(position) == kImage);
      position += 10 + color_table_size(byte(position + 9)) + 1;
    }
    while (byte(position) != 0) position += byte(position) + 1;
    ++position;
  }
  return delays;
}

namespace fs = std::filesystem;

namespace {

/// A picture cut short by a full disk does not end as it should, and gnuplot may not say so.
void check_complete(const fs::path& picture, const std::string& bytes, const std::string& ending) {
  constexpr std::size_t kTail = 32;
  const std::string tail = bytes.substr(bytes.size() > kTail ? bytes.size() - kTail : 0);
  if (tail.find(ending) == std::string::npos) {
    throw IoError(fmt::format("{}: gnuplot did not write it completely; is the disk full?",
                              picture.filename().string()));
  }
}

/// What a gnuplot script draws into the file `output` of a temporary folder.
std::string drawn(const std::string& script, const std::string& output,
                  const std::string& gnuplot) {
  const WorkFolder folder = WorkFolder::with_own_name();
  const fs::path file = folder.path() / fs::path(output).replace_extension(".gp");
  write_file_atomically(file, script);
  run_gnuplot(file, gnuplot);
  return file_bytes(folder.path() / output).value_or("");
}

}  // namespace

std::string drawn_gif(const std::string& script, const std::string& output, double hold_s,
                      const std::string& gnuplot) {
  std::string gif = drawn(script, output, gnuplot);
  // The last frame's delay.
  const std::vector<std::size_t> delays = gif_delays(gif);
  GRASPMAP_CHECK(!delays.empty());
  const std::size_t at = delays.back();
  const auto hundredths = static_cast<unsigned>(std::lround(100.0 * hold_s));
  gif[at] = static_cast<char>(hundredths & 0xffu);
  gif[at + 1] = static_cast<char>(hundredths >> 8u);
  return gif;
}

std::string drawn_png(const std::string& script, const std::string& output) {
  std::string png = drawn(script, output, "gnuplot");
  check_complete(output, png, "IEND");
  return png;
}

namespace {

/// The path with the folder's own name last, also for "figures/" and ".".
fs::path named(const fs::path& folder) {
  const bool is_dots = folder.filename() == "." || folder.filename() == "..";
  const fs::path path = (is_dots ? fs::absolute(folder) : folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

void draw_figures(const fs::path& folder, const std::vector<Figure>& figures,
                  const std::string& gnuplot) {
  // Beside the folder, so that scripts find ../FILE and finished files need only a new name.
  fs::path partial = named(folder);
  const WorkFolder staging(partial += ".partial");
  for (const Figure& figure : figures) {
    const fs::path file = staging.path() / figure.name;
    const auto with = [&](const char* ending) { return fs::path(file) += ending; };
    write_file_atomically(with(".gp"), figure.script);
    if (figure.data) write_file_atomically(with(".csv"), *figure.data);
    run_gnuplot(with(".gp"), gnuplot);
    for (const auto& [ending, last] : {std::pair{".png", "IEND"}, {".svg", "</svg>"}}) {
      check_complete(with(ending), file_bytes(with(ending)).value_or(""), last);
    }
  }
  staging.move_files_to(folder);
}

}  // namespace graspmap
