#include "grasp/analysis/calibrate/posterior_figure.hpp"

#include <fmt/format.h>

#include <vector>

#include "grasp/figures/script_parts.hpp"
#include "grasp/io/gnuplot.hpp"

namespace graspmap {
namespace {

// In pixels.
constexpr int kPanelWidth = 440;  ///< of a panel with its axes
constexpr int kPanelHeight = 440;
constexpr int kPanelLeft = 105;  ///< in a panel, beside the axes
constexpr int kPanelRight = 25;
constexpr int kPanelAbove = 50;    ///< in a panel, its title
constexpr int kPanelBelow = 120;   ///< in a panel, the axis
constexpr int kFigureTop = 75;     ///< title of the figure
constexpr int kFigureBottom = 50;  ///< what the marks mean

/// The parameters of the coefficients that vary, two for each.
std::vector<const Learned*> parameters(const Calibration& calibration) {
  std::vector<const Learned*> list;
  for (const Learned& learned : calibration.learned) {
    if (learned.is_parameter) list.push_back(&learned);
  }
  return list;
}

std::string draws_csv(const std::vector<const Learned*>& list) {
  std::string csv;
  for (const Learned* l : list) csv += (csv.empty() ? "" : ",") + l->name;
  csv += "\n";
  for (std::size_t i = 0; i < list.front()->draws.size(); ++i) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      csv += fmt::format("{}{}", k == 0 ? "" : ",", list[k]->draws[i]);
    }
    csv += "\n";
  }
  return csv;
}

/// The values that a parameter may have.
Interval values_of(const Calibration& calibration, const Learned& learned, bool is_first) {
  const FrictionRange& range = calibration.ranges[learned.input];
  if (calibration.family == LawFamily::kNormal && !is_first) {
    return {0.0, (range.high - range.low) / 2};
  }
  return {range.low, range.high};
}

/// The prior's density as a gnuplot expression in x; law_at says what it is.
std::string prior_density(const Calibration& calibration, const Interval& values, bool is_first) {
  const double width = values.high - values.low;
  switch (calibration.family) {
    case LawFamily::kUniform:
      return is_first ? fmt::format("2 * ({} - x) / {}", values.high, width * width)
                      : fmt::format("2 * (x - {}) / {}", values.low, width * width);
    case LawFamily::kNormal:
      return fmt::format("1.0 / {} + 0 * x", width);
  }
  return "0";
}

/// Where a panel lies: column and row from the left and top.
std::string place(int column, int row) {
  return fmt::format(
      "  set margins at screen {}. / canvas_width, screen {}. / canvas_width, \\\n"
      "      screen 1 - {}. / canvas_height, screen 1 - {}. / canvas_height\n",
      column * kPanelWidth + kPanelLeft, (column + 1) * kPanelWidth - kPanelRight,
      kFigureTop + (row + 1) * kPanelHeight - kPanelBelow,
      kFigureTop + row * kPanelHeight + kPanelAbove);
}

std::string histogram_panel(const Calibration& calibration, const Learned& learned, bool is_first,
                            std::size_t data_column, int row) {
  constexpr double kBars = 60;
  const Interval values = values_of(calibration, learned, is_first);
  const double bar = (values.high - values.low) / kBars;
  return place(is_first ? 0 : 1, row) +
         fmt::format(
             "  set xrange [{0}:{1}]\n  set xtics {2} out nomirror\n  set yrange [0:*]\n"
             "  set xlabel {3} noenhanced offset 0,0.5\n  unset ylabel\n  unset ytics\n"
             "  set title '{5:.3f} ({6:.3f} to {7:.3f})'\n"
             "  set object 1 rectangle from first {6}, graph 0 to first {7}, graph 1 \\\n"
             "      fillcolor rgb '#d1e5f0' fillstyle solid noborder behind\n"
             "  plot data using ({0} + {8} * (floor((column({9}) - {0}) / {8}) + 0.5)):(1) \\\n"
             "      smooth frequency with boxes fc rgb '#2166ac' fs solid noborder notitle, \\\n"
             "      [{0}:{1}] {4} * {8} * ({10}) with lines lw 2 lc rgb '#b2182b' notitle\n"
             "  unset object 1\n",
             values.low, values.high, tick_step(values.high - values.low, 4),
             gnuplot_string(learned.name), learned.draws.size(), learned.mean, learned.interval.low,
             learned.interval.high, bar, data_column, prior_density(calibration, values, is_first));
}

std::string joint_panel(const Calibration& calibration, const Learned& first, const Learned& second,
                        std::size_t data_column, int row) {
  const Interval x = values_of(calibration, first, true);
  const Interval y = values_of(calibration, second, false);
  return place(2, row) +
         fmt::format(
             "  set xrange [{}:{}]\n  set yrange [{}:{}]\n  set xtics {} out nomirror\n"
             "  set ytics {} out nomirror\n  set xlabel {} noenhanced offset 0,0.5\n"
             "  set ylabel {} noenhanced offset 1.5,0\n  set title 'draws of both'\n"
             "  plot data using {}:{} with points pt 7 ps 0.4 lc rgb '#802166ac' notitle\n",
             x.low, x.high, y.low, y.high, tick_step(x.high - x.low, 4),
             tick_step(y.high - y.low, 6), gnuplot_string(first.name), gnuplot_string(second.name),
             data_column, data_column + 1);
}

}  // namespace

Figure posterior_figure(const Calibration& calibration, const std::string& title,
                        double confidence) {
  const std::vector<const Learned*> list = parameters(calibration);
  const int rows = static_cast<int>(list.size() / 2);
  const Canvas canvas{3 * kPanelWidth, kFigureTop + kFigureBottom + rows * kPanelHeight};
  std::string script =
      script_start("laws", "The posterior of the laws of friction.", gnuplot_string(title),
                   gnuplot_string(fmt::format("laws of friction that explain the experiment ({})",
                                              name(calibration.family))),
                   canvas);
  script += kPictures;
  script += "\ndata = figure.'.csv'\nset xtics font ',14'\nset ytics font ',14'\n";
  std::string plots = fmt::format(
      "  set multiplot\n"
      "  set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 28. / canvas_height center "
      "noenhanced\n"
      "  set label 2 'bars: the posterior; shaded: its {:.6g} % interval; red line: the prior' \\\n"
      "      at screen 0.5, screen 22. / canvas_height center\n",
      100 * confidence);
  for (std::size_t k = 0; k + 1 < list.size(); k += 2) {
    const int row = static_cast<int>(k / 2);
    plots += histogram_panel(calibration, *list[k], true, k + 1, row);
    plots += "  unset label 1\n  unset label 2\n";
    plots += histogram_panel(calibration, *list[k + 1], false, k + 2, row);
    plots += joint_panel(calibration, *list[k], *list[k + 1], k + 1, row);
  }
  plots += "  unset multiplot\n";
  script += for_each_picture(plots);
  return {"laws", script, draws_csv(list)};
}

}  // namespace graspmap
