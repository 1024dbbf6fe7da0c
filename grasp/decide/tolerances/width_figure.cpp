#include "grasp/decide/tolerances/width_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"

namespace graspmap {
namespace {

constexpr int kWidthRowPixels = 90;
constexpr int kLetterPixels = 14;
constexpr std::size_t kMostLetters = 45;

constexpr const char* kWidthAxes = R"gp(
data = figure.'.csv'
set lmargin at screen name_pixels / canvas_width
set rmargin at screen 1 - text_pixels / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 175. / canvas_height
set xrange [0:widest]
set yrange [-rows + 0.5:0.5]
set xtics out nomirror
set ytics out nomirror scale 0 noenhanced
set grid xtics lc rgb '#d0d0d0' lt 1
set border 3
set key at screen 0.5, screen 45. / canvas_height center center noenhanced
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 40. / canvas_height center noenhanced
set xlabel 'width, as a multiple of today''s'
set arrow 1 from 1, graph 0 to 1, graph 1 nohead lw 2 dt 2 lc rgb '#d62728' front
y(offset) = 1 - column('row') + offset
)gp";

constexpr const char* kWidthBars = R"gp(
  plot data using (0):(y(0.18)):(0):'first':(y(0.02)):(y(0.34)) \
           with boxxyerror lc rgb '#9ecae1' fs solid noborder title first_title, \
       data using (0):(y(-0.18)):(0):'second':(y(-0.34)):(y(-0.02)) \
           with boxxyerror lc rgb '#08519c' fs solid noborder title second_title, \
       data using 'first':(y(0.18)):'first_text' with labels left offset 0.5,0 noenhanced notitle, \
       data using 'second':(y(-0.18)):'second_text' with labels left offset 0.5,0 noenhanced notitle
)gp";

}  // namespace

Figure width_figure(const WidthFigureInput& input) {
  std::string csv = "row,tolerance,first,first_text,second,second_text\n";
  std::string ticks;
  double widest = 1.2;
  std::size_t letters = 16;
  std::size_t text_letters = 12;
  int number = 0;
  for (const WidthRow& row : input.rows) {
    ticks += fmt::format("{}{} {}", number > 0 ? ", " : "", gnuplot_string(row.name), -number);
    csv += fmt::format("{},", ++number);
    append_csv_field(csv, row.name);
    csv += fmt::format(",{},", row.first);
    append_csv_field(csv, row.first_text);
    csv += fmt::format(",{},", row.second);
    append_csv_field(csv, row.second_text);
    csv += "\n";
    letters = std::min(std::max(letters, row.name.size()), kMostLetters);
    text_letters = std::max({text_letters, row.first_text.size(), row.second_text.size()});
    widest = std::max({widest, row.first, row.second});
  }
  const Canvas canvas{1200, 285 + kWidthRowPixels * number};
  const std::string script =
      script_start(input.name, "Widths of tolerances, as multiples of today's.",
                   gnuplot_string(input.title), gnuplot_string(input.subtitle), canvas) +
      kPictures +
      fmt::format(
          "first_title = {}\nsecond_title = {}\nset ytics ({})\nrows = {}\nwidest = {}\n"
          "name_pixels = {}.\ntext_pixels = {}.\n",
          gnuplot_string(input.first_title), gnuplot_string(input.second_title), ticks, number,
          widest, kLetterPixels * static_cast<int>(letters) + 30,
          kLetterPixels * static_cast<int>(text_letters) + 30) +
      kWidthAxes + for_each_picture(kWidthBars);
  return {input.name, script, csv};
}

}  // namespace graspmap
