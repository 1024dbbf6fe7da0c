#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

constexpr int kRowPixels = 90;
constexpr std::size_t kMostPanels = 8;

constexpr const char* kBars = R"gp(
data = figure.'.csv'
# Each input has a row, from above: its total effect and, below it, its main effect.
set lmargin at screen names_width / canvas_width
set rmargin at screen 1 - 60. / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 215. / canvas_height
set xrange [0:1]
set yrange [-rows + 0.5:0.5]
set xtics 0.1 out nomirror
set ytics out nomirror scale 0 noenhanced
set grid xtics lc rgb '#d0d0d0' lt 1
set border 3
set key at screen 0.5, screen 65. / canvas_height center center noenhanced
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 35. / canvas_height center noenhanced
set xlabel 'share of the variance of success'
y(offset) = 1 - column('row') + offset
box(effect, offset) = strcol('effect') eq effect ? y(offset) : NaN
)gp";

constexpr const char* kPlot = R"gp(
  plot data using (0):(box('total', 0.18)):(0):'value':(box('total', 0.02)):(box('total', 0.34)) \
           with boxxyerror lc rgb '#9ecae1' fs solid noborder title 'total effect', \
       data using (0):(box('first', -0.18)):(0):'value':(box('first', -0.34)):(box('first', -0.02)) \
           with boxxyerror lc rgb '#08519c' fs solid noborder title 'main effect', \
       data using 'value':(box('total', 0.18)):'low':'high' \
           with xerrorbars pt 0 lw 2 lc rgb 'black' title interval, \
       data using 'value':(box('first', -0.18)):'low':'high' \
           with xerrorbars pt 0 lw 2 lc rgb '#f16913' notitle
)gp";

std::string row(std::size_t number, const RandomInput& input, const char* effect,
                const Estimate& estimate) {
  return fmt::format("{},{},{},{},{},{}\n", number, input.key, effect, estimate.value,
                     estimate.interval.low, estimate.interval.high);
}

constexpr const char* kHalved = R"gp(
data = figure.'.csv'
# Each input has a row, from above: success with its distribution half as wide.
set lmargin at screen names_width / canvas_width
set rmargin at screen 1 - 60. / canvas_width
set tmargin at screen 1 - 110. / canvas_height
set bmargin at screen 170. / canvas_height
set yrange [-rows + 0.5:0.5]
set xtics out nomirror
set ytics out nomirror scale 0 noenhanced
set grid xtics lc rgb '#d0d0d0' lt 1
set border 3
set key at screen 0.5, screen 45. / canvas_height center center noenhanced
set label 1 name."\n".subtitle at screen 0.5, screen 1 - 35. / canvas_height center noenhanced
set xlabel 'success probability'
set arrow 1 from as_it_is, graph 0 to as_it_is, graph 1 nohead dt 2 lw 2 lc rgb '#606060'
)gp";

constexpr const char* kHalvedPlot = R"gp(
  plot data using 'value':(1 - column('row')):'low':'high' \
           with xerrorbars pt 7 ps 1.5 lw 3 lc rgb '#08519c' title interval, \
       NaN with lines dt 2 lw 2 lc rgb '#606060' title 'as it is'
)gp";

/// Where the rows begin: right of the longest name.
std::string names_width(const std::vector<RandomInput>& inputs) {
  double width = 330.0;
  for (const RandomInput& input : inputs) {
    width = std::max(width, 20.0 + 0.56 * kFontPx * static_cast<double>(input.name.size()));
  }
  return fmt::format("names_width = {:.1f}\n", width);
}

/// "set ytics" with the names of the inputs.
std::string row_names(const std::vector<RandomInput>& inputs) {
  std::string names;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    names += fmt::format("{}'{}' {}", k > 0 ? ", " : "", inputs[k].name, -static_cast<int>(k));
  }
  return fmt::format("set ytics ({})\nrows = {}\n{}", names, inputs.size(), names_width(inputs));
}

Figure bars_figure(const Sensitivity& result, double confidence) {
  const std::vector<RandomInput>& inputs = result.inputs.varying();
  const Canvas canvas{1200, 325 + kRowPixels * static_cast<int>(inputs.size())};
  std::string csv = "row,input,effect,value,low,high\n";
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    csv += row(k + 1, inputs[k], "first", result.whole.inputs[k].first);
    csv += row(k + 1, inputs[k], "total", result.whole.inputs[k].total);
  }
  const std::string script =
      script_start("sensitivity_bars", "The effects of the random inputs on success.",
                   gnuplot_string(result.title + ": which uncertainty matters"),
                   gnuplot_string("on " + subject(result)), canvas) +
      kPictures + fmt::format("interval = '{} interval'\n", given_percent(confidence)) +
      row_names(inputs) + kBars + for_each_picture(kPlot);
  return {"sensitivity_bars", script, csv};
}

Figure halved_figure(const Sensitivity& result, double confidence) {
  const std::vector<RandomInput>& inputs = result.inputs.varying();
  const Canvas canvas{1200, 280 + kRowPixels / 2 * static_cast<int>(inputs.size())};
  std::string csv = "row,input,value,low,high\n";
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const SimulatedSuccess& success = result.halved->inputs[k].success;
    csv += fmt::format("{},{},{},{},{}\n", k + 1, inputs[k].key, success.counts.probability(),
                       success.interval.low, success.interval.high);
  }
  const std::string script =
      script_start("sensitivity_halved", "Success when one distribution is half as wide.",
                   gnuplot_string(result.title + ": one distribution half as wide"),
                   gnuplot_string("on " + subject(result)), canvas) +
      kPictures +
      fmt::format("interval = '{} interval'\nas_it_is = {}\n", given_percent(confidence),
                  result.halved->as_it_is.counts.probability()) +
      row_names(inputs) + kHalved + for_each_picture(kHalvedPlot);
  return {"sensitivity_halved", script, csv};
}

/// The inputs of the largest total effects, in their order: a map has room for so many panels.
std::vector<std::size_t> panel_inputs(const Sensitivity& result) {
  const std::vector<RandomInput>& inputs = result.cell_inputs.varying();
  std::vector<std::size_t> list = row_numbers(inputs.size());
  if (list.size() <= kMostPanels) return list;
  const auto total = [&](std::size_t k) {
    double sum = 0.0;
    for (const Effects& cell : result.cells) {
      if (!cell.inputs.empty()) sum += cell.inputs[k].total.value;
    }
    return sum;
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](std::size_t a, std::size_t b) { return total(a) > total(b); });
  list.resize(kMostPanels);
  std::sort(list.begin(), list.end());
  return list;
}

/// The total effects of one input in the cells of a slice.
HeatPanel cells_panel(const Sensitivity& result, std::size_t input, int slice) {
  const std::string& title = result.cell_inputs.varying()[input].name;
  HeatPanel panel = slice_panel(result.map, slice, title, [&](std::size_t cell) {
    const Effects& effects = result.cells[cell];
    if (effects.state == SensitivityState::kNoVariance) return 0.0;
    return effects.inputs.empty() ? std::numeric_limits<double>::quiet_NaN()
                                  : effects.inputs[input].total.value;
  });
  // Where all grasps end alike there is no variance, and nothing has an effect: a ring.
  const std::size_t cells = result.map.index(0, 0, 1);
  for (std::size_t k = 0; k < cells; ++k) {
    const std::size_t cell = static_cast<std::size_t>(slice) * cells + k;
    if (result.cells[cell].state != SensitivityState::kNoVariance) continue;
    const CellIndex at = result.map.cell(cell);
    constexpr double kShareOfCell = 0.08;
    panel.marks.push_back({HeatMark::Kind::kEllipse, result.map.x_mm.cell_center(at.x),
                           result.map.y_mm.cell_center(at.y),
                           kShareOfCell * result.map.x_mm.cell_size(),
                           kShareOfCell * result.map.y_mm.cell_size(), 0, "",
                           panel.marks.empty() ? "all grasps end alike" : ""});
  }
  return panel;
}

/// The slice in which the most cells have effects; the first of equal ones.
int richest_slice(const Sensitivity& result) {
  std::vector<int> known(static_cast<std::size_t>(result.map.theta_rad.cells), 0);
  const std::size_t cells = result.map.index(0, 0, 1);
  for (std::size_t k = 0; k < result.cells.size(); ++k) {
    if (result.cells[k].state == SensitivityState::kKnown) ++known[k / cells];
  }
  return static_cast<int>(std::max_element(known.begin(), known.end()) - known.begin());
}

Figure cells_figure(const Sensitivity& result, const SweepConfig& config) {
  const int slice = richest_slice(result);
  HeatPanelsInput input;
  input.name = "sensitivity_cells";
  input.title = result.title + ": which uncertainty matters in each cell";
  if (result.map.theta_rad.cells > 1) {
    input.title += " at " + angle_label(result.map.theta_rad.cell_center(slice));
  }
  input.subtitle =
      "total effect of each input: its share of the variance of success, alone or with others";
  input.colours = {HeatScale::kFromZero, "total effect", 1.0};
  for (const std::size_t k : panel_inputs(result)) {
    input.panels.push_back(cells_panel(result, k, slice));
  }
  const SweetSpot spot = find_sweet_spot(result.map, config.sweet_spot_half_width_mm);
  ShownGrasp grasp = grasp_at(spot, slice, result.map.theta_rad);
  if (result.aim) {
    grasp.fingers_mm = Vec2(result.aim->x_mm, result.aim->y_mm);
    grasp.where = "the placement";
  }
  draw_grasp(config.scenario, grasp, input.panels);
  input.nan_label = "no reliable estimate";
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> sensitivity_figures(const Sensitivity& result, const SweepConfig& config,
                                        double confidence) {
  std::vector<Figure> figures;
  if (result.whole.state == SensitivityState::kKnown) {
    figures.push_back(bars_figure(result, confidence));
  }
  if (result.halved && !result.halved->inputs.empty()) {
    figures.push_back(halved_figure(result, confidence));
  }
  if (result.whole.state != SensitivityState::kCorrelated) {
    figures.push_back(cells_figure(result, config));
  }
  return figures;
}

}  // namespace graspmap
