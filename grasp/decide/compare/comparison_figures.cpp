#include "grasp/decide/compare/comparison_figures.hpp"

#include <fmt/format.h>

#include <limits>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/compare/histogram_pair_figure.hpp"
#include "grasp/sweep/figures/map_panels.hpp"

namespace graspmap {
namespace {

/// A value for each cell of the grid; NaN where nothing is compared.
template <typename Value>
HeatPanel panel(const ExperimentComparison& comparison, const std::string& title,
                const Value& value) {
  HeatPanel panel = slice_panel(*comparison.grid, 0, title, [](std::size_t) {
    return std::numeric_limits<double>::quiet_NaN();
  });
  for (const CellComparison& cell : comparison.cells) panel.values[cell.cell.place] = value(cell);
  return panel;
}

std::string experiment_title(const ExperimentComparison& comparison) {
  return fmt::format("experiment ({})", name(comparison.experiment.origin));
}

std::string title(const ExperimentComparison& comparison) {
  return fmt::format("{} and an experiment ({})", comparison.run_name,
                     name(comparison.experiment.origin));
}

std::string subtitle(const ExperimentComparison& comparison) {
  return fmt::format("run: {} trials; experiment: {} trials; {} of {} cells differ",
                     grouped(comparison.run_total.trials),
                     grouped(comparison.experiment_total.trials), comparison.significant.size(),
                     comparison.cells.size());
}

Figure maps(const ExperimentComparison& comparison) {
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
    input.panels[0].outline = comparison.numbers->plateau_probability;
    input.panels[1].outline = comparison.numbers->plateau_probability;
  }
  input.panels[2].colours = {HeatScale::kDifference, "difference of probabilities", {}};
  return heat_panels_figure(input);
}

template <typename Counts>
SuccessMap counted_map(const ExperimentComparison& comparison, const Counts& counts_of) {
  SuccessMap map(comparison.grid->x_mm, comparison.grid->y_mm);
  for (const CellComparison& cell : comparison.cells) {
    const SampleCounts& counts = counts_of(cell.cell);
    auto& by_outcome = map.cells[cell.cell.place].by_outcome;
    by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = counts.successes;
    by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = counts.trials - counts.successes;
  }
  return map;
}

Figure histograms(const ExperimentComparison& comparison) {
  const SuccessMap experiment =
      counted_map(comparison, [](const SharedCell& cell) { return cell.experiment; });
  const SuccessMap run = counted_map(comparison, [](const SharedCell& cell) { return cell.run; });
  const Axis& x = comparison.grid->x_mm;
  return histogram_pair_figure({"comparison_3d", title(comparison), subtitle(comparison),
                                experiment_title(comparison), experiment, "run", run,
                                x.cell_center(x.cells - 1) >= 0});
}

}  // namespace

std::vector<Figure> comparison_figures(const ExperimentComparison& comparison) {
  if (!comparison.grid) return {};
  return {maps(comparison), histograms(comparison)};
}

}  // namespace graspmap
