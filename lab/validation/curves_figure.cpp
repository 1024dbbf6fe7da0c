#include <fmt/format.h>

#include <array>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "lab/validation/validation_context.hpp"

namespace graspmap {
namespace {

/// Okabe and Ito's colours for colour-blind eyes.
constexpr std::array<const char*, 8> kColours = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#e69f00", "#56b4e9", "#999999"};
constexpr std::size_t kMostSamples = 3000;

std::string csv(const CurvesFigure& figure) {
  std::string text = "curve,x,y\n";
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    const Curve& curve = figure.curves[k];
    const std::size_t every = curve.x.size() / kMostSamples + 1;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (i % every != 0 && i + 1 != curve.x.size()) continue;
      text += fmt::format("{},{:.9g},{:.9g}\n", k, curve.x[i], curve.y[i]);
    }
  }
  return text;
}

}  // namespace

Figure curves_figure(const CurvesFigure& figure) {
  const Canvas canvas{1400, 850};
  std::string script =
      script_start(figure.name, figure.title, gnuplot_string(figure.title),
                   gnuplot_string(figure.subtitle), canvas) +
      kPictures + "\ndata = figure.'.csv'\nset grid lc rgb '#d0d0d0' lt 1\n" +
      "set title name.\"\\n\".subtitle noenhanced\nset key outside right top noenhanced\n" +
      fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                  gnuplot_string(figure.x_label), gnuplot_string(figure.y_label)) +
      (figure.equal_axes ? "set size ratio -1\n" : "") +
      (figure.log_y ? "set logscale y\nset format y '%g'\n" : "");
  std::string plot = "  plot ";
  for (std::size_t k = 0; k < figure.curves.size(); ++k) {
    plot += fmt::format(
        "{}data using (column('curve') == {} ? column('x') : NaN):'y' with {} lc rgb '{}' {} "
        "title {}",
        k == 0 ? "" : ", \\\n       ", k, figure.points ? "points pt 7 ps 0.5" : "lines",
        kColours[k % kColours.size()],
        figure.curves[k].style.empty() ? "lw 2" : figure.curves[k].style,
        gnuplot_string(figure.curves[k].title));
  }
  return {figure.name, script + for_each_picture(plot + "\n"), csv(figure)};
}

}  // namespace graspmap
