#include "grasp/figures/difference_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "grasp/figures/heat_panels.hpp"
#include "grasp/figures/script_parts.hpp"

namespace graspmap {
namespace {

/// "A: lock_piece"
std::string run_title(const char* letter, const ComparedRun& run) {
  const std::filesystem::path path = std::filesystem::path(run.run).lexically_normal();
  const std::string name =
      path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return fmt::format("{}: {}", letter, name);
}

HeatPanel panel(const ComparedRun& run, std::string title) {
  HeatPanel panel;
  panel.title = std::move(title);
  panel.x = run.map.x;
  panel.y = run.map.y;
  return panel;
}

HeatPanel probability_panel(const char* letter, const ComparedRun& run) {
  HeatPanel shown = panel(run, run_title(letter, run));
  for (const CellCounts& cell : run.map.cells) shown.values.push_back(cell.success_probability());
  if (run.sweet_spot.found) {
    HeatMark mark;
    mark.x_mm = run.sweet_spot.x_mm;
    mark.y_mm = run.sweet_spot.y_mm;
    mark.label = "sweet spot";
    shown.marks.push_back(mark);
  }
  shown.outline = run.plateau_probability;
  return shown;
}

HeatPanel difference_panel(const RunDifference& result, std::string title, bool only_significant) {
  HeatPanel shown = panel(result.a, std::move(title));
  for (const CellDifference& cell : result.cells) {
    const bool is_shown = cell.significant || !only_significant;
    shown.values.push_back(is_shown ? 100 * cell.difference.estimate
                                    : std::numeric_limits<double>::quiet_NaN());
  }
  shown.colours = HeatColours{HeatScale::kDifference, "B less A (percentage points)", {}};
  return shown;
}

/// Without any difference there is no largest one that the colours could end at.
void set_range(HeatPanel& panel, const RunDifference& result) {
  double most = 0;
  for (const CellDifference& cell : result.cells) {
    most = std::fmax(most, 100 * std::abs(cell.difference.estimate));
  }
  panel.colours->most = most > 0 ? most : 1.0;
}

std::string subtitle(const RunDifference& result) {
  const RegionDifference& whole = result.whole;
  return fmt::format(
      "over the map {:+.1f} percentage points ({:.6g} % interval {:+.1f} to {:+.1f}); {}",
      100 * whole.difference.estimate, 100 * result.confidence, 100 * whole.difference.interval.low,
      100 * whole.difference.interval.high,
      result.pairing == Pairing::kPaired
          ? fmt::format("{} pairs of trials", grouped(result.pairs.pairs))
          : "independent trials");
}

}  // namespace

Figure difference_figure(const RunDifference& result) {
  HeatPanelsInput input;
  input.name = "difference_maps";
  input.title = "What B changes";
  input.subtitle = subtitle(result);
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.panels.push_back(probability_panel("A", result.a));
  input.panels.push_back(probability_panel("B", result.b));
  input.panels.push_back(difference_panel(result, "B less A", false));
  input.panels.push_back(difference_panel(result, "B less A, where significant", true));
  for (std::size_t k = 2; k < 4; ++k) set_range(input.panels[k], result);
  input.columns = 2;
  input.nan_label = fmt::format("not significant (false discovery rate {:.6g} %)",
                                100 * result.false_discovery_rate);
  return heat_panels_figure(input);
}

}  // namespace graspmap
