#include "grasp/decide/compare/experiment_figure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/compare/probability_bins.hpp"

namespace graspmap {
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
  set cblabel 'success: predicted (map), observed (dots)'
  eval 'plot '.map_plot
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

std::string bin_rows(const ExperimentComparison& comparison) {
  std::string rows;
  for (const ProbabilityBin& bin :
       probability_bins(comparison.prediction.sites, comparison.confidence)) {
    rows += fmt::format("bin,{},,{},{},{},{}\n", bin.predicted, bin.observed.value,
                        bin.observed.interval.low, bin.observed.interval.high, bin.trials);
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

Figure experiment_figure(const SuccessMap& run, const ExperimentComparison& comparison) {
  constexpr double kMapBox_px = 620;
  const MapPixels map = fit_map(run.x_mm, run.y_mm, kMapBox_px, kMapBox_px);
  const double map_right = 130 + map.width;
  const Canvas canvas{static_cast<int>(map_right + 330 + map.height + 50),
                      static_cast<int>(map.height + 230)};
  const std::string script =
      script_start("experiment", "The experiment on the run's map, and against its predictions.",
                   gnuplot_string(comparison.run_name + " and the experiment"),
                   gnuplot_string(paper_subtitle(comparison)), canvas) +
      kPictures + fmt::format("set palette {}\n", kViridis) +
      fmt::format("map_right = {:.2f}\nmap_height = {:.2f}\n", map_right, map.height) +
      fmt::format("x_min = {}\nx_max = {}\ny_min = {}\ny_max = {}\n", run.x_mm.min, run.x_mm.max,
                  run.y_mm.min, run.y_mm.max) +
      fmt::format("half_x = {}\nhalf_y = {}\n", 0.505 * run.x_mm.cell_size(),
                  0.505 * run.y_mm.cell_size()) +
      fmt::format("interval = '{:.6g} % interval'\n", 100 * comparison.confidence) + kPanels +
      for_each_picture(kPaperPlot);
  return {"experiment", script,
          "kind,x,y,value,low,high,trials\n" + cell_rows(run) +
              site_rows(comparison.prediction.sites) + bin_rows(comparison)};
}

}  // namespace graspmap
