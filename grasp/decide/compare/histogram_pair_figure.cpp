#include "grasp/decide/compare/histogram_pair_figure.hpp"

#include <fmt/format.h>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/base/pictures/text_layout.hpp"
#include "grasp/sweep/figures/bar_faces.hpp"
#include "grasp/sweep/figures/histogram_parts.hpp"

namespace graspmap {
namespace {

constexpr Canvas kPairCanvas{1800, 930};
constexpr double kTitleWidth = 840.0;

/// A face is followed by two blank lines, which makes it a data set of its own. (gnuplot takes the
/// first line of the first set that is plotted for the header: each side has one.)
std::size_t count_faces(const std::string& csv) {
  std::size_t count = 0;
  for (auto at = csv.find("\n\n\n"); at != std::string::npos; at = csv.find("\n\n\n", at + 3)) {
    ++count;
  }
  return count;
}

/// One side, `sets` being the data sets of its faces.
std::string side(const SuccessMap& map, int first_x, const std::string& title,
                 const std::string& place, const std::string& sets) {
  return fmt::format("set origin {}\nset size 0.49, 0.88\n", place) + histogram_axes(map, first_x) +
         fmt::format("set title {} noenhanced offset 0, -2\n",
                     lines_expression(balanced(title, kFontPx, kTitleWidth, 2))) +
         fmt::format("splot figure.'.csv' index {} {}\n", sets, kHistogramFaces);
}

}  // namespace

Figure histogram_pair_figure(const HistogramPairInput& input) {
  int left_x = input.only_right_half ? first_right_column(input.left.x_mm) : 0;
  int right_x = input.only_right_half ? first_right_column(input.right.x_mm) : 0;
  if (left_x == input.left.x_mm.cells || right_x == input.right.x_mm.cells) left_x = right_x = 0;
  const std::string left = bar_faces_csv(input.left, left_x);
  const std::string right = bar_faces_csv(input.right, right_x);
  const std::size_t left_faces = count_faces(left);
  const std::size_t faces = left_faces + count_faces(right);
  const double width = kPairCanvas.width - 40.0;
  const std::string script =
      script_start(input.name, "The success probabilities of two maps as the heights of bars.",
                   lines_expression(balanced(input.title, kFontPx, width, 2)),
                   lines_expression(balanced(input.subtitle, kFontPx, width, 2)), kPairCanvas) +
      fmt::format("view_size = {}\n", left_x > 0 || right_x > 0 ? 1.3 : 1.12) + kPictures +
      fmt::format("set palette {}\nset cbrange [0:1]\n", kViridis) + kHistogramBars +
      for_each_picture(
          "set multiplot title name.(strlen(subtitle) > 0 ? \"\\n\" : '').subtitle noenhanced\n" +
          side(input.left, left_x, input.left_title, "0.01, 0.04",
               fmt::format("0:{}", left_faces - 1)) +
          side(input.right, right_x, input.right_title, "0.51, 0.04",
               fmt::format("{}:{}", left_faces, faces - 1)) +
          "unset multiplot\n");
  return {input.name, script, left + right};
}

}  // namespace graspmap
