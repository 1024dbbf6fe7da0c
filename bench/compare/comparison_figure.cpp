#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/compare/comparison_report.hpp"
#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/shapes.hpp"

namespace graspmap::bench {
namespace {

/// Okabe and Ito's colours for colour-blind eyes, then others; ours first.
constexpr std::array<const char*, 11> kColours = {"#000000", "#56b4e9", "#d55e00", "#0072b2",
                                                  "#009e73", "#cc79a7", "#e69f00", "#7f7f7f",
                                                  "#8b4513", "#6a3d9a", "#b2df8a"};
constexpr std::array<int, 11> kMarks = {7, 6, 5, 9, 11, 13, 4, 8, 10, 12, 14};
constexpr Canvas kCanvas{1900, 1000};
constexpr double kLabelPx = 20.0;  // at the labels' font size of 14
constexpr const char* kLabelFont = "font font.',14'";

struct Axis {
  double low = 1.0;
  double high = 10.0;

  /// Where a value is between both ends of a logarithmic axis, from 0 to 1.
  [[nodiscard]] double place(double value) const {
    return std::log(value / low) / std::log(high / low);
  }
};

/// A panel: where it is on the canvas, in pixels from the lower left, and its axes.
struct Panel {
  Box box;
  Axis x;
  Axis y;

  [[nodiscard]] Vec2 pixel(const Vec2& point) const {
    const Vec2 size = box.max - box.min;
    return box.min + Vec2(x.place(point.x()) * size.x(), y.place(point.y()) * size.y());
  }
};

/// A point of a curve in a panel's units, and the step that it stands for.
struct Point {
  Vec2 at;
  std::string label;
};

using Curve = std::vector<Point>;

/// An axis around some values, with room for labels on both sides.
Axis axis_around(const std::vector<Curve>& curves, int coordinate, double room) {
  Axis axis{1e300, 1e-300};
  for (const Curve& curve : curves) {
    for (const Point& point : curve) {
      axis.low = std::min(axis.low, point.at[coordinate]);
      axis.high = std::max(axis.high, point.at[coordinate]);
    }
  }
  return {axis.low / room, axis.high * room};
}

/// The points of each engine; `y` gives NaN where there is nothing to draw.
template <typename Y>
std::vector<Curve> curves_of(const Comparison& comparison, const Y& y) {
  std::vector<Curve> curves;
  for (const std::string& engine : comparison.curves()) {
    curves.emplace_back();
    for (const Score& score : comparison.scores) {
      if (score.curve != engine || !std::isfinite(y(score))) continue;
      curves.back().push_back({{score.median_trials_per_s(), y(score)},
                               score.setting.substr(0, score.setting.find(' '))});
    }
  }
  return curves;
}

/// A label that is farther above or below its point than this gets a line to it.
constexpr double kFarPx = 35.0;

/// The end of that line, at the label.
Vec2 line_end(const Vec2& point, const Vec2& label) {
  const double rise = label.y() - point.y();
  return {label.x(), label.y() - std::copysign(0.5 * kLabelPx, rise)};
}

/// Whether the line from a point to its label, beyond the mark, crosses nothing.
bool is_line_free(const LabelPlacer& placer, const Vec2& point, const Vec2& label) {
  const Vec2 end = line_end(point, label);
  constexpr int kParts = 20;
  for (int k = 0; k <= kParts; ++k) {
    const Vec2 at = point + (end - point) * k / kParts;
    if ((at - point).norm() > 18.0 && !placer.is_free(box_about(at, {4, 4}))) return false;
  }
  return true;
}

/// Where a label of some size may go about its point, the nearest first.
std::vector<Vec2> label_places(const LabelPlacer& placer, const Vec2& point, const Vec2& size) {
  const double x = 0.5 * size.x() + 13.0;
  const double y = 0.5 * size.y() + 13.0;
  std::vector<Vec2> places;
  for (const Vec2& offset : {Vec2(0, y), Vec2(0, -y), Vec2(x, 0), Vec2(-x, 0), Vec2(x, y),
                             Vec2(-x, y), Vec2(x, -y), Vec2(-x, -y)}) {
    places.push_back(point + offset);
  }
  for (int row = 1; row <= 4; ++row) {
    for (const double along : {0.0, -0.5 * x, 0.5 * x, -x, x}) {
      for (const double side : {1.0, -1.0}) {
        const Vec2 place = point + Vec2(along, side * (y + row * size.y()));
        if (is_line_free(placer, point, place)) places.push_back(place);
      }
    }
  }
  return places;
}

/// Draws a label; one that is far from its point gets a line to it.
std::string label_command(const Point& point, const Vec2& from_px, const Vec2& at_px,
                          const char* colour) {
  const double x = at_px.x() / kCanvas.width;
  std::string commands =
      fmt::format("  set label {} at screen {:.5f},{:.5f} center {} tc rgb '{}'\n",
                  gnuplot_string(point.label), x, at_px.y() / kCanvas.height, kLabelFont, colour);
  if (std::abs(at_px.y() - from_px.y()) < kFarPx) return commands;
  return commands +
         fmt::format("  set arrow from {:g},{:g} to screen {:.5f},{:.5f} nohead lc rgb '{}' lw 1\n",
                     point.at.x(), point.at.y(), x, line_end(from_px, at_px).y() / kCanvas.height,
                     colour);
}

/// Where the labels of a panel's points go: beside their points, off all curves and each other.
std::string label_commands(const Panel& panel, const std::vector<Curve>& curves, double limit) {
  LabelPlacer placer(panel.box);
  placer.block_line(panel.pixel({panel.x.low, limit}), panel.pixel({panel.x.high, limit}), 3.0);
  for (const Curve& curve : curves) {
    std::vector<Vec2> path;
    for (const Point& point : curve) {
      path.push_back(panel.pixel(point.at));
      placer.block(box_about(path.back(), {22, 22}));
    }
    placer.block_path(path, 3.0);
  }
  std::string commands;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (const Point& point : curves[c]) {
      const Vec2 size(text_width_px(point.label, kLabelPx), kLabelPx + 4.0);
      const Vec2 from = panel.pixel(point.at);
      const auto place = placer.place(size, label_places(placer, from, size));
      if (place) commands += label_command(point, from, *place, kColours[c % kColours.size()]);
    }
  }
  return commands;
}

/// Ticks at 1, 2 and 5 times the powers of ten within an axis, or at the powers only.
std::string ticks(const Axis& axis, bool fine) {
  std::string text;
  for (double power = std::pow(10.0, std::floor(std::log10(axis.low))); power <= axis.high;
       power *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * power;
      if (value < axis.low || value > axis.high || (factor != 1.0 && !fine)) continue;
      text += fmt::format("{}'{:g}' {:g}", text.empty() ? "" : ", ", value, value);
    }
  }
  return text;
}

/// The curves' names with the unit of their labels: "Box2D (s)".
std::vector<std::string> curve_titles(const Comparison& comparison) {
  std::vector<std::string> titles;
  for (const std::string& curve : comparison.curves()) {
    for (const Score& score : comparison.scores) {
      if (score.curve != curve) continue;
      titles.push_back(
          fmt::format("{} ({})", curve, score.setting.substr(score.setting.find(' ') + 1)));
      break;
    }
  }
  return titles;
}

std::string plot_command(const std::vector<std::string>& titled, const char* column, double limit,
                         bool titles) {
  std::string text =
      fmt::format("  plot {:g} with lines lc rgb '#808080' dt 2 lw 1.5 notitle", limit);
  for (std::size_t k = 0; k < titled.size(); ++k) {
    text += fmt::format(
        ", \\\n       data using (column('engine') == {} ? column('trials_per_s') : NaN):'{}' "
        "with linespoints lc rgb '{}' pt {} ps point_size(picture, 1.8) lw 2.5 {}",
        k, column, kColours[k % kColours.size()], kMarks[k % kMarks.size()],
        titles ? fmt::format("title {}", gnuplot_string(titled[k])) : "notitle");
  }
  return text + "\n";
}

std::string panel_commands(const Panel& panel, const char* y_label, const std::string& y_ticks) {
  return fmt::format(
      "  set lmargin at screen {:.4f}\n  set rmargin at screen {:.4f}\n"
      "  set bmargin at screen {:.4f}\n  set tmargin at screen {:.4f}\n"
      "  set xrange [{:g}:{:g}]\n  set yrange [{:g}:{:g}]\n"
      "  set xtics ({})\n  set ytics ({})\n  set ylabel '{}'\n  unset label\n  unset arrow\n",
      panel.box.min.x() / kCanvas.width, panel.box.max.x() / kCanvas.width,
      panel.box.min.y() / kCanvas.height, panel.box.max.y() / kCanvas.height, panel.x.low,
      panel.x.high, panel.y.low, panel.y.high, ticks(panel.x, true), y_ticks, y_label);
}

/// None wrong is drawn where a third of a trial would be.
double drawn_zero_percent(const Comparison& comparison) {
  return 100.0 / (3.0 * std::max(comparison.robust(), 1));
}

double wrong_percent(const Comparison& comparison, const Score& score) {
  return std::max(100.0 * (1.0 - score.agreement.robust_share()), drawn_zero_percent(comparison));
}

std::string figure_csv(const Comparison& comparison) {
  const std::vector<std::string> engines = comparison.curves();
  std::string csv = "engine,setting,trials_per_s,wrong_percent,median_mm\n";
  for (const Score& score : comparison.scores) {
    const auto engine = std::find(engines.begin(), engines.end(), score.curve) - engines.begin();
    csv += fmt::format("{},{},{},{},{}\n", engine, score.setting, score.median_trials_per_s(),
                       wrong_percent(comparison, score), score.agreement.median_mm);
  }
  return csv;
}

std::string wrong_panel(const Comparison& comparison) {
  const auto curves =
      curves_of(comparison, [&](const Score& score) { return wrong_percent(comparison, score); });
  const double zero = drawn_zero_percent(comparison);
  const double limit = 100.0 * (1.0 - kUsableShare);
  Panel panel{{{140, 110}, {920, 750}}, axis_around(curves, 0, 1.4), axis_around(curves, 1, 1.6)};
  panel.y = {zero / 3.0, std::max(panel.y.high, 3.0 * limit)};
  const std::string y_ticks =
      fmt::format("'0' {:g}, {}", zero, ticks({2.0 * zero, panel.y.high}, true));
  return panel_commands(panel, "robust trials with a wrong outcome (%)", y_ticks) +
         label_commands(panel, curves, limit) +
         "  set key at screen 0.5,0.85 center center horizontal maxrows 4 samplen 2 width -1 "
         "noenhanced font font.',14'\n" +
         plot_command(curve_titles(comparison), "wrong_percent", limit, true) + "  unset key\n";
}

std::string pose_panel(const Comparison& comparison) {
  const auto curves =
      curves_of(comparison, [](const Score& score) { return score.agreement.median_mm; });
  Panel panel{{{1070, 110}, {1850, 750}}, axis_around(curves, 0, 1.4), axis_around(curves, 1, 1.6)};
  panel.y.high = std::max(panel.y.high, 2.0 * kRightMedian_mm);
  return panel_commands(panel, "median error of the final pose (mm)", ticks(panel.y, true)) +
         label_commands(panel, curves, kRightMedian_mm) +
         plot_command(curve_titles(comparison), "median_mm", kRightMedian_mm, false);
}

}  // namespace

Figure work_precision_figure(const Comparison& comparison) {
  std::string script = script_start(
      "work_precision", "Trials per second against precision, one curve an engine over its steps.",
      gnuplot_string("Work against precision: " + comparison.name),
      gnuplot_string(fmt::format("{} robust trials; right and below is better; each point is a "
                                 "step or a tolerance; dashed: {:g} % "
                                 "wrong, {:g} mm",
                                 grouped(comparison.robust()), 100.0 * (1.0 - kUsableShare),
                                 kRightMedian_mm)),
      kCanvas);
  script += kPictures;
  script +=
      "\ndata = figure.'.csv'\nset datafile missing 'nan'\nset logscale xy\n"
      "set grid lc rgb '#d8d8d8' lt 1\nset xlabel 'trials per second and core'\n";
  script +=
      for_each_picture("  set multiplot title name.\"\\n\".subtitle noenhanced\n" +
                       wrong_panel(comparison) + pose_panel(comparison) + "  unset multiplot\n");
  return {"work_precision", script, figure_csv(comparison)};
}

}  // namespace graspmap::bench
