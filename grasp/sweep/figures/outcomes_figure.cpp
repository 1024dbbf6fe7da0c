#include <fmt/format.h>

#include <limits>
#include <vector>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/figures/map_panels.hpp"
#include "grasp/sweep/figures/run_figures.hpp"

namespace graspmap {
namespace {

std::vector<Outcome> occurring(const CellCounts& total) {
  std::vector<Outcome> outcomes;
  for (const Outcome outcome : kOutcomes) {
    if (total.count(outcome) > 0) outcomes.push_back(outcome);
  }
  if (outcomes.empty()) outcomes.push_back(Outcome::kSuccess);  // no trials: one hatched panel
  return outcomes;
}

/// The outcome's share of the trials of a cell; NaN without trials.
double share(const CellCounts& cell, Outcome outcome) {
  if (cell.trials() == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(cell.count(outcome)) / static_cast<double>(cell.trials());
}

std::string percent(double share) {
  const double value = 100.0 * share;
  if (!(value > 0)) return "0 %";
  return value < 0.1 ? "< 0.1 %" : fmt::format("{:.1f} %", value);
}

}  // namespace

Figure outcomes_figure(const FigureInput& input) {
  const CellCounts total = input.map.total();
  HeatPanelsInput figure;
  figure.name = "outcomes";
  figure.title = input.title;
  figure.subtitle = map_subtitle(input.map);
  figure.colours = {HeatScale::kShare, "share of the cell's trials (white: none)", {}};
  figure.nan_label = "no trials";
  for (const Outcome outcome : occurring(total)) {
    const std::string title =
        fmt::format("{}: {} ({})", name(outcome), grouped(total.count(outcome)),
                    percent(share(total, outcome)));
    figure.panels.push_back(slice_panel(input.map, 0, title, [&](std::size_t cell) {
      return share(input.map.cells[cell], outcome);
    }));
  }
  return heat_panels_figure(figure);
}

}  // namespace graspmap
