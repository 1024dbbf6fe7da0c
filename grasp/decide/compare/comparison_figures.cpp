#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_layout.hpp"
#include "grasp/decide/agreement/agreement.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/sweep/figures/grasp_drawing.hpp"
#include "grasp/sweep/figures/map_figures.hpp"

namespace graspmap {
namespace {

/// The experiment's trials whose predicted success probability lies in one of ten equal bins.
struct ProbabilityBin {
  double predicted = 0.0;  ///< mean over these trials
  Estimate observed;       ///< share of successes, with Wilson's interval
  std::int64_t trials = 0;
};

constexpr std::size_t kProbabilityBins = 10;

/// The bins with trials.
std::vector<ProbabilityBin> probability_bins(std::span<const PredictedSite> sites,
                                             double confidence) {
  std::array<double, kProbabilityBins> expected{};
  std::array<SampleCounts, kProbabilityBins> observed{};
  for (const PredictedSite& site : sites) {
    const double p = site.model.probability();
    const auto at = static_cast<std::size_t>(p * static_cast<double>(kProbabilityBins));
    const std::size_t bin = std::min(at, kProbabilityBins - 1);
    expected[bin] += p * static_cast<double>(site.trials);
    observed[bin].trials += site.trials;
    observed[bin].successes += site.successes;
  }
  std::vector<ProbabilityBin> bins;
  for (std::size_t bin = 0; bin < kProbabilityBins; ++bin) {
    const auto& [successes, trials, failed] = observed[bin];
    if (trials == 0) continue;
    bins.push_back(
        {expected[bin] / static_cast<double>(trials),
         {observed[bin].probability(), wilson_interval(successes, trials, two_sided_z(confidence))},
         trials});
  }
  return bins;
}

/// NaN for each cell of the grid.
HeatPanel empty_panel(const ExperimentComparison& comparison, const std::string& title) {
  return slice_panel(*comparison.grid, 0, title,
                     [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); });
}

/// A value for each cell of the grid; NaN where nothing is compared.
template <typename Value>
HeatPanel panel(const ExperimentComparison& comparison, const std::string& title,
                const Value& value) {
  HeatPanel panel = empty_panel(comparison, title);
  for (const CellComparison& cell : comparison.cells) panel.values[cell.cell.place] = value(cell);
  return panel;
}

std::string experiment_title(const ExperimentComparison& comparison) {
  return fmt::format("experiment ({})", name(comparison.experiment.origin));
}

std::string title(const ExperimentComparison& comparison) {
  return fmt::format("{} and an experiment ({})", comparison.run_title,
                     name(comparison.experiment.origin));
}

std::string subtitle(const ExperimentComparison& comparison) {
  return fmt::format("run: {} trials; experiment: {} trials; {} of {} cells differ",
                     grouped(comparison.run_total.trials),
                     grouped(comparison.experiment_total.trials), comparison.significant.size(),
                     comparison.cells.size());
}

/// The part, and the fingers at the run's sweet spot where that is known.
ShownGrasp grasp_of(const ExperimentComparison& comparison, const CellGrid& grid) {
  ShownGrasp grasp{comparison.theta_rad.value_or(grid.theta_rad.cell_center(0))};
  const auto& numbers = comparison.numbers;
  if (numbers && !std::isnan(numbers->x_mm)) grasp.fingers_mm = Vec2(numbers->x_mm, numbers->y_mm);
  return grasp;
}

Figure maps(const ExperimentComparison& comparison, const Scenario& scenario) {
  HeatPanelsInput input;
  input.name = "comparison";
  input.title = title(comparison);
  input.subtitle = subtitle(comparison);
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.columns = 3;
  input.nan_label = "not compared";
  const auto of_experiment = [](const CellComparison& c) { return c.experiment.value; };
  const auto of_run = [](const CellComparison& c) { return c.cell.run_probability.value; };
  const auto difference = [](const CellComparison& c) { return c.difference.value; };
  input.panels = {panel(comparison, experiment_title(comparison), of_experiment),
                  panel(comparison, "run", of_run),
                  panel(comparison, "experiment - run", difference)};
  if (comparison.numbers) {
    input.panels[0].border = comparison.numbers->plateau_probability;
    input.panels[1].border = comparison.numbers->plateau_probability;
  }
  input.panels[2].colours = {HeatScale::kDifference, "difference of probabilities", {}};
  draw_grasp(scenario, grasp_of(comparison, *comparison.grid), input.panels);
  return heat_panels_figure(input);
}

SuccessMap counted_map(const ExperimentComparison& comparison, SampleCounts SharedCell::*whose) {
  SuccessMap map(comparison.grid->x_mm, comparison.grid->y_mm);
  for (const CellComparison& cell : comparison.cells) {
    const SampleCounts& counts = cell.cell.*whose;
    auto& by_outcome = map.cells[cell.cell.place].by_outcome;
    by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = counts.successes;
    by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = counts.trials - counts.successes;
  }
  return map;
}

Figure histograms(const ExperimentComparison& comparison) {
  const SuccessMap experiment = counted_map(comparison, &SharedCell::experiment);
  const SuccessMap run = counted_map(comparison, &SharedCell::run);
  const Axis& x = comparison.grid->x_mm;
  return histogram_pair_figure({"comparison_3d", title(comparison), subtitle(comparison),
                                experiment_title(comparison), experiment, "run", run,
                                x.cell_center(x.cells - 1) >= 0});
}

}  // namespace

std::vector<Figure> comparison_figures(const ExperimentComparison& comparison,
                                       const Scenario& scenario) {
  if (!comparison.grid) return {};
  return {maps(comparison, scenario), histograms(comparison)};
}

namespace {

constexpr double kMostDeviations = 4.0;

/// A row of each bin: `start` and what is predicted, `between`, what is observed.
std::string bin_rows(const ExperimentComparison& comparison, const char* start,
                     const char* between) {
  std::string rows;
  for (const ProbabilityBin& bin :
       probability_bins(comparison.prediction.sites, comparison.confidence)) {
    rows += fmt::format("{}{}{}{},{},{},{}\n", start, bin.predicted, between, bin.observed.value,
                        bin.observed.interval.low, bin.observed.interval.high, bin.trials);
  }
  return rows;
}

std::string agreement_line(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  return fmt::format("{} of {} succeeded; expected at the same placements: {:.1f}, sd {:.1f}",
                     agreement.successes, grouped(agreement.trials), agreement.expected,
                     agreement.expected_sd);
}

/// The observed share against the predicted probability.
Figure observed_against_predicted(const ExperimentComparison& comparison) {
  std::string script = script_start(
      "observed", "The success that was observed against what the run's model predicts.",
      gnuplot_string(title(comparison)), gnuplot_string(agreement_line(comparison)), {1100, 1100});
  script += kPictures;
  script += "\ndata = figure.'.csv'\n";
  const std::string plot = fmt::format(
      "  set title name.\"\\n\".subtitle noenhanced\n"
      "  set size square\n  set xrange [-0.04:1.04]\n  set yrange [-0.04:1.08]\n"
      "  set xtics 0.2 out nomirror\n  set ytics 0.2 out nomirror\n"
      "  set xlabel 'predicted success probability (mean of a bin)'\n"
      "  set ylabel 'observed share of successes, {:.4g} % interval, number of trials'\n"
      "  set arrow 1 from 0,0 to 1,1 nohead lw 2 dt 2 lc rgb '#808080' back\n"
      "  plot data using 1:2:3:4 with yerrorbars pt 7 ps 1.4 lw 2.5 lc rgb '#2166ac' notitle, \\\n"
      "      data using 1:4:5 with labels offset 0,0.9 font ',13' notitle\n",
      100 * comparison.confidence);
  return {"observed", script + for_each_picture(plot),
          "predicted,observed,low,high,trials\n" + bin_rows(comparison, "", ",")};
}

/// How far each cell is from what is expected, in standard deviations.
Figure deviations(const ExperimentComparison& comparison, const Scenario& scenario) {
  HeatPanel map = empty_panel(comparison, "(successes - expected) / standard deviation");
  for (const GroupResult& group : comparison.agreement.groups) {
    const double difference = static_cast<double>(group.successes) - group.expected;
    const double least_sd = 0.5 / std::sqrt(static_cast<double>(group.trials) + 1);
    map.values[comparison.cells[group.group].cell.place] =
        difference / std::max(group.expected_sd, least_sd);
  }
  HeatPanelsInput input;
  input.name = "deviations";
  input.title = title(comparison);
  input.subtitle = agreement_line(comparison);
  input.colours = {HeatScale::kDifference, "standard deviations", kMostDeviations};
  input.nan_label = "no trials";
  input.panels = {map};
  draw_grasp(scenario, grasp_of(comparison, *comparison.grid), input.panels);
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> agreement_figures(const ExperimentComparison& comparison,
                                      const Scenario& scenario) {
  std::vector<Figure> figures = {observed_against_predicted(comparison)};
  if (comparison.grid) figures.push_back(deviations(comparison, scenario));
  return figures;
}

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
  return fmt::format("set origin {}\nset size 0.49, 0.88\nset view ,, {:.4g}\n", place,
                     1.04 * histogram_size(map, first_x)) +
         histogram_axes(map, first_x) +
         fmt::format("set title {} noenhanced offset 0, -2\n",
                     lines_expression(balanced(first_x > 0 ? title + ", x ≥ 0" : title, kFontPx,
                                               kTitleWidth, 2))) +
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
      kPictures + fmt::format("set palette {}\nset cbrange [0:1]\n", kViridis) +
      "view_size = 1  # set anew for each side\n" + kHistogramBars +
      for_each_picture(
          "set multiplot title name.(strlen(subtitle) > 0 ? \"\\n\" : '').subtitle noenhanced\n" +
          side(input.left, left_x, input.left_title, "0.01, 0.04",
               fmt::format("0:{}", left_faces - 1)) +
          side(input.right, right_x, input.right_title, "0.51, 0.04",
               fmt::format("{}:{}", left_faces, faces - 1)) +
          "unset multiplot\n");
  return {input.name, script, left + right};
}

namespace {

constexpr const char* kPanels = R"gp(
data = figure.'.csv'
of(kind) = strcol('kind') eq kind
set cbrange [0:1]
set tics out nomirror
map_plot = "data using (of('cell') ? column('x') : NaN):'y':(half_x):(half_y):'value' with boxxyerror lc palette fs solid noborder notitle, data using (of('site') ? column('x') : NaN):'y' with points pt 7 ps point_size(picture, 2.3) lc rgb 'white' notitle, data using (of('site') ? column('x') : NaN):'y' with points pt 7 ps point_size(picture, 1.9) lc rgb 'black' notitle, data using (of('site') ? column('x') : NaN):'y':'value' with points pt 7 ps point_size(picture, 1.5) lc palette notitle"
bin_plot = "data using (of('bin') ? column('x') : NaN):'value':'low':'high' with yerrorbars pt 7 ps point_size(picture, 1.6) lw 2.5 lc rgb '#2166ac' notitle"
)gp";

constexpr const char* kPaperPlot = R"gp(
  set multiplot
  set label 1 name."\n".subtitle at screen 0.5, screen 1 - 35. / canvas_height center noenhanced
  set lmargin at screen 130. / canvas_width; set rmargin at screen map_right / canvas_width
  set bmargin at screen 110. / canvas_height; set tmargin at screen (110. + map_height) / canvas_height
  set xrange [x_min:x_max]; set yrange [y_min:y_max]
  set xlabel 'placement x (mm)'; set ylabel 'placement y (mm)'
  set colorbox user origin screen (map_right + 25.) / canvas_width, 110. / canvas_height size 25. / canvas_width, map_height / canvas_height
  set cblabel "success: predicted (map),\nobserved (dots)"
  eval 'plot '.map_plot.', '.grasp_plot
  unset label 1; unset colorbox
  set lmargin at screen (map_right + 330.) / canvas_width; set rmargin at screen (map_right + 330. + map_height) / canvas_width
  set xrange [-0.03:1.03]; set yrange [-0.03:1.03]
  set xtics 0.2; set ytics 0.2
  set xlabel 'predicted success'; set ylabel 'observed success, '.interval
  set arrow 1 from 0,0 to 1,1 nohead lw 2 dt 2 lc rgb '#808080' back
  eval 'plot '.bin_plot
  unset arrow 1; set xtics autofreq; set ytics autofreq
  unset multiplot
)gp";

std::string cell_rows(const SuccessMap& run) {
  std::string rows;
  for (int j = 0; j < run.y_mm.cells; ++j) {
    for (int i = 0; i < run.x_mm.cells; ++i) {
      const double p = run.at(i, j).success_probability();
      if (std::isnan(p)) continue;
      rows +=
          fmt::format("cell,{},{},{},,,\n", run.x_mm.cell_center(i), run.y_mm.cell_center(j), p);
    }
  }
  return rows;
}

std::string site_rows(const std::vector<PredictedSite>& sites) {
  std::string rows;
  for (const PredictedSite& site : sites) {
    rows += fmt::format("site,{},{},{},,,{}\n", site.x_mm, site.y_mm,
                        static_cast<double>(site.successes) / static_cast<double>(site.trials),
                        site.trials);
  }
  return rows;
}

std::string paper_subtitle(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  return fmt::format("{} of {} trials succeeded ({}), {:.1f} predicted: {}", agreement.successes,
                     grouped(agreement.trials), name(comparison.experiment.origin),
                     agreement.expected, name(agreement.verdict));
}

}  // namespace

Figure experiment_figure(const SuccessMap& run, const ExperimentComparison& comparison,
                         const SweepConfig& config) {
  constexpr MapPixels kMapBox{860, 620};
  HeatPanel panel = slice_panel(run, 0, "", [](std::size_t) { return 0.0; });
  const SweetSpot spot = find_sweet_spot(run, config.sweet_spot_half_width_mm);
  draw_grasp(config.scenario, grasp_at(spot, 0, run.theta_rad), panel);
  const auto [x, y] = shown_axes(panel);
  const MapPixels map = fit_map(x, y, kMapBox.width, kMapBox.height);
  const double map_right = 130 + map.width;
  const Canvas canvas{static_cast<int>(map_right + 330 + map.height + 50),
                      static_cast<int>(map.height + 230)};
  const std::string script =
      script_start("experiment", "The experiment on the run's map, and against its predictions.",
                   gnuplot_string(comparison.run_title + " and the experiment"),
                   gnuplot_string(paper_subtitle(comparison)), canvas) +
      kPictures + fmt::format("set palette {}\n", kViridis) +
      fmt::format("map_right = {:.2f}\nmap_height = {:.2f}\n", map_right, map.height) +
      fmt::format("x_min = {}\nx_max = {}\ny_min = {}\ny_max = {}\n", x.min, x.max, y.min, y.max) +
      fmt::format("half_x = {}\nhalf_y = {}\n", 0.505 * run.x_mm.cell_size(),
                  0.505 * run.y_mm.cell_size()) +
      fmt::format("interval = '{} interval'\n", given_percent(comparison.confidence)) + kPanels +
      lines_block("$grasp", panel.drawings.back().lines) +
      fmt::format("unset key\nset clip two\ngrasp_plot = \"{}\"\n",
                  rimmed_lines("$grasp", kDrawingWidth, 1.6)) +
      for_each_picture(kPaperPlot);
  return {"experiment", script,
          "kind,x,y,value,low,high,trials\n" + cell_rows(run) +
              site_rows(comparison.prediction.sites) + bin_rows(comparison, "bin,", ",,")};
}

}  // namespace graspmap
