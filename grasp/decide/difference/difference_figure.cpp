#include "grasp/decide/difference/difference_figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/config/angle_words.hpp"
#include "grasp/sweep/figures/map_panels.hpp"

namespace graspmap {
namespace {

/// "A: lock_piece"
std::string run_title(const char* letter, const ComparedRun& run) {
  const std::filesystem::path path = std::filesystem::path(run.run).lexically_normal();
  const std::string name =
      path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return fmt::format("{}: {}", letter, name);
}

HeatPanel run_panel(const char* letter, const ComparedRun& run, int slice) {
  return success_panel(run.map, slice, run_title(letter, run), run.plateau_probability,
                       run.sweet_spot);
}

/// Without any difference there is no largest one that the colours could end at.
double largest(const RunDifference& result) {
  double most = 0;
  for (const CellDifference& cell : result.cells) {
    most = std::fmax(most, 100 * std::abs(cell.difference.estimate));
  }
  return most > 0 ? most : 1.0;
}

enum class Shown { kAll, kSignificant };

HeatPanel difference_panel(const RunDifference& result, std::string title, int slice, Shown shown) {
  HeatPanel panel = slice_panel(result.a.map, slice, std::move(title), [&](std::size_t k) {
    const CellDifference& cell = result.cells[k];
    const bool is_shown = cell.significant || shown == Shown::kAll;
    return is_shown ? 100 * cell.difference.estimate : std::numeric_limits<double>::quiet_NaN();
  });
  panel.colours =
      HeatColours{HeatScale::kDifference, "B minus A (percentage points)", largest(result)};
  return panel;
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

HeatPanelsInput empty_figure(const RunDifference& result, const char* name) {
  HeatPanelsInput input;
  input.name = name;
  input.subtitle = subtitle(result);
  input.colours = {HeatScale::kProbability, "success probability", {}};
  input.nan_label = fmt::format("not significant (false discovery rate {:.6g} %)",
                                100 * result.false_discovery_rate);
  return input;
}

/// At the angle of A's sweet spot, or the middle one.
Figure maps_figure(const RunDifference& result) {
  const Axis& theta = result.a.map.theta_rad;
  const SweetSpot& spot = result.a.sweet_spot;
  const int slice = spot.found ? spot.cell_theta : theta.cells / 2;
  HeatPanelsInput input = empty_figure(result, "difference_maps");
  input.title = "What B changes";
  if (theta.cells > 1) input.title += " at " + angle_label(theta.cell_center(slice));
  input.panels = {
      run_panel("A", result.a, slice), run_panel("B", result.b, slice),
      difference_panel(result, "B minus A", slice, Shown::kAll),
      difference_panel(result, "B minus A, where significant", slice, Shown::kSignificant)};
  input.columns = 2;
  return heat_panels_figure(input);
}

Figure angles_figure(const RunDifference& result) {
  const Axis& theta = result.a.map.theta_rad;
  HeatPanelsInput input = empty_figure(result, "difference_angles");
  input.title = "What B changes at each angle";
  for (int slice = 0; slice < theta.cells; ++slice) {
    input.panels.push_back(difference_panel(result, angle_label(theta.cell_center(slice)), slice,
                                            Shown::kSignificant));
  }
  return heat_panels_figure(input);
}

}  // namespace

std::vector<Figure> difference_figures(const RunDifference& result) {
  constexpr int kMostPanels = 9;
  std::vector<Figure> figures{maps_figure(result)};
  const int angles = result.a.map.theta_rad.cells;
  if (angles > 1 && angles <= kMostPanels) figures.push_back(angles_figure(result));
  return figures;
}

}  // namespace graspmap
