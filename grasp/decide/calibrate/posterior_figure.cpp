#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"

namespace graspmap {
namespace {

// In pixels.
constexpr int kPanelWidth = 460;  ///< of a panel with its axes
constexpr int kPanelHeight = 440;
constexpr int kPanelLeft = 125;  ///< in a panel, beside the axes
constexpr int kPanelRight = 40;
constexpr int kPanelAbove = 50;    ///< in a panel, its title
constexpr int kPanelBelow = 120;   ///< in a panel, the axis
constexpr int kFigureTop = 100;    ///< title of the figure
constexpr int kFigureBottom = 50;  ///< what the marks mean

/// The parameters, those of a coefficient next to each other.
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

/// The prior's density as a block of comma-separated data of gnuplot: the middle of each of some
/// bars, and the share of the prior's draws in it over its width.
std::string prior_block(const Learned& learned, std::size_t number) {
  constexpr std::size_t kPriorBars = 20;
  const double bar = (learned.high - learned.low) / static_cast<double>(kPriorBars);
  std::vector<double> counts(kPriorBars);
  for (const double x : learned.prior_draws) {
    const auto k = static_cast<std::size_t>(std::max(0.0, (x - learned.low) / bar));
    ++counts[std::min(k, kPriorBars - 1)];
  }
  std::string block = fmt::format("$prior{} << EOD\n", number);
  for (std::size_t k = 0; k < kPriorBars; ++k) {
    block += fmt::format("{:.6g},{:.6g}\n", learned.low + (static_cast<double>(k) + 0.5) * bar,
                         counts[k] / static_cast<double>(learned.prior_draws.size()) / bar);
  }
  return block + "EOD\n";
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

std::string histogram_panel(const Learned& learned, int panel_column, std::size_t data_column,
                            int row) {
  constexpr double kBars = 60;
  const double range = learned.high - learned.low;
  const double bar = range / kBars;
  return place(panel_column, row) +
         fmt::format(
             "  set xrange [{0}:{1}]\n  set xtics {2} out nomirror\n  set yrange [0:*]\n"
             "  set xlabel {3} noenhanced offset 0,0.5\n  set ylabel 'draws' offset 0.5,0\n"
             "  set ytics autofreq out nomirror\n"
             "  set title '{5:.3f} ({6:.3f} to {7:.3f})'\n"
             "  set object 1 rectangle from first {6}, graph 0 to first {7}, graph 1 \\\n"
             "      fillcolor rgb '#d1e5f0' fillstyle solid noborder behind\n"
             "  plot data using ({0} + {8} * (floor((column({9}) - {0}) / {8}) + 0.5)):(1) \\\n"
             "      smooth frequency with boxes fc rgb '#2166ac' fs solid noborder notitle, \\\n"
             "      $prior{9} using 1:({4} * {8} * $2) with lines lw 2 lc rgb '#b2182b' notitle\n"
             "  unset object 1\n",
             learned.low, learned.high, tick_step(range, 4), gnuplot_string(learned.name),
             learned.draws.size(), learned.mean, learned.interval.low, learned.interval.high, bar,
             data_column);
}

std::string joint_panel(const Learned& first, const Learned& second, std::size_t data_column,
                        int row) {
  return place(2, row) +
         fmt::format(
             "  set xrange [{}:{}]\n  set yrange [{}:{}]\n  set xtics {} out nomirror\n"
             "  set ytics {} out nomirror\n  set xlabel {} noenhanced offset 0,0.5\n"
             "  set ylabel {} noenhanced offset 1.5,0\n  set title 'draws of both'\n"
             "  plot data using {}:{} with points pt 7 ps 0.4 lc rgb '#802166ac' notitle\n",
             first.low, first.high, second.low, second.high, tick_step(first.high - first.low, 4),
             tick_step(second.high - second.low, 6), gnuplot_string(first.name),
             gnuplot_string(second.name), data_column, data_column + 1);
}

}  // namespace

Figure posterior_figure(const Calibration& calibration, const std::string& title,
                        double confidence) {
  const std::vector<const Learned*> list = parameters(calibration);
  const int rows = static_cast<int>((list.size() + 1) / 2);
  const Canvas canvas{3 * kPanelWidth, kFigureTop + kFigureBottom + rows * kPanelHeight};
  std::string script = script_start(
      "laws", "The posterior of the distributions of friction and of what else was sought.",
      gnuplot_string(title),
      gnuplot_string(fmt::format("what the experiment tells ({} distributions of friction)",
                                 name(calibration.family))),
      canvas);
  script += kPictures;
  for (std::size_t k = 0; k < list.size(); ++k) script += prior_block(*list[k], k + 1);
  script += "\ndata = figure.'.csv'\nset xtics font ',14'\nset ytics font ',14'\n";
  std::string plots = fmt::format(
      "  set multiplot\n"
      "  set label 1 name.\"\\n\".subtitle at screen 0.5, screen 1 - 28. / canvas_height center "
      "noenhanced\n"
      "  set label 2 'bars: the posterior; shaded: its {} interval; red line: the prior' \\\n"
      "      at screen 0.5, screen 22. / canvas_height center\n",
      given_percent(confidence));
  for (std::size_t k = 0; k < list.size(); k += 2) {
    const int row = static_cast<int>(k / 2);
    plots += histogram_panel(*list[k], 0, k + 1, row);
    plots += "  unset label 1\n  unset label 2\n";
    if (k + 1 == list.size()) break;
    plots += histogram_panel(*list[k + 1], 1, k + 2, row);
    plots += joint_panel(*list[k], *list[k + 1], k + 1, row);
  }
  plots += "  unset multiplot\n";
  script += for_each_picture(plots);
  return {"laws", script, draws_csv(list)};
}

}  // namespace graspmap
