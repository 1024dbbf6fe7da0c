#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/compare/comparison_figures.hpp"
#include "grasp/decide/compare/probability_bins.hpp"
#include "grasp/sweep/figures/map_panels.hpp"

namespace graspmap {
namespace {

constexpr double kMostDeviations = 4.0;

std::string bins_csv(const ExperimentComparison& comparison) {
  std::string csv = "predicted,observed,low,high,trials\n";
  for (const ProbabilityBin& bin :
       probability_bins(comparison.prediction.sites, comparison.confidence)) {
    csv += fmt::format("{},{},{},{},{}\n", bin.predicted, bin.observed.value,
                       bin.observed.interval.low, bin.observed.interval.high, bin.trials);
  }
  return csv;
}

std::string agreement_line(const ExperimentComparison& comparison) {
  const Agreement& agreement = comparison.agreement;
  return fmt::format("{} of {} succeeded; expected at the same placements: {:.1f}, sd {:.1f}",
                     agreement.successes, grouped(agreement.trials), agreement.expected,
                     agreement.expected_sd);
}

std::string agreement_title(const ExperimentComparison& comparison) {
  return fmt::format("{} and an experiment ({})", comparison.run_name,
                     name(comparison.experiment.origin));
}

/// The observed share against the predicted probability.
Figure observed_against_predicted(const ExperimentComparison& comparison) {
  std::string script = script_start(
      "observed", "The success that was observed against what the run's model predicts.",
      gnuplot_string(agreement_title(comparison)), gnuplot_string(agreement_line(comparison)),
      {1100, 1100});
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
  return {"observed", script + for_each_picture(plot), bins_csv(comparison)};
}

/// How far each cell is from what is expected, in standard deviations.
Figure deviations(const ExperimentComparison& comparison) {
  HeatPanel panel =
      slice_panel(*comparison.grid, 0, "(successes - expected) / standard deviation",
                  [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); });
  for (const GroupResult& group : comparison.agreement.groups) {
    const double difference = static_cast<double>(group.successes) - group.expected;
    const double least_sd = 0.5 / std::sqrt(static_cast<double>(group.trials) + 1);
    panel.values[comparison.cells[group.group].cell.place] =
        difference / std::max(group.expected_sd, least_sd);
  }
  HeatPanelsInput input;
  input.name = "deviations";
  input.title = agreement_title(comparison);
  input.subtitle = agreement_line(comparison);
  input.colours = {HeatScale::kDifference, "standard deviations", kMostDeviations};
  input.nan_label = "no trials";
  input.panels = {panel};
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> agreement_figures(const ExperimentComparison& comparison) {
  std::vector<Figure> figures = {observed_against_predicted(comparison)};
  if (comparison.grid) figures.push_back(deviations(comparison));
  return figures;
}

}  // namespace graspmap
