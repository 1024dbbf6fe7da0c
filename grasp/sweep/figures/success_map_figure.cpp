#include <fmt/format.h>

#include <vector>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/config/angle_words.hpp"
#include "grasp/sweep/figures/map_panels.hpp"
#include "grasp/sweep/figures/run_figures.hpp"

namespace graspmap {
namespace {

constexpr int kMostPanels = 25;

/// The slices that are drawn: all, or every n-th.
std::vector<int> shown_slices(const FigureInput& input) {
  const int cells = input.map.theta_rad.cells;
  const int step = (cells + kMostPanels - 1) / kMostPanels;
  std::vector<int> slices;
  for (int k = input.sweet_spot.cell_theta % step; k < cells; k += step) slices.push_back(k);
  return slices;
}

/// "sweet spot (-1, -11) mm", and its angle where the map has several.
std::string point_text(const FigureInput& input) {
  const SweetSpot& spot = input.sweet_spot;
  return fmt::format("sweet spot ({}, {}) mm{}", short_mm(spot.x_mm), short_mm(spot.y_mm),
                     input.map.theta_rad.cells > 1 ? ", θ = " + angle_label(spot.theta_rad) : "");
}

std::string square_text(const SweetSpot& spot) {
  return fmt::format("±{} mm around it: lowest p = {:.3f} (95 % interval {:.3f} to {:.3f})",
                     short_mm(spot.half_width_mm), spot.lowest_probability,
                     spot.lowest_interval.low, spot.lowest_interval.high);
}

HeatPanel panel_of_slice(const FigureInput& input, int slice) {
  const Axis& theta_rad = input.map.theta_rad;
  HeatPanel panel =
      success_panel(input.map, slice,
                    theta_rad.cells > 1 ? "θ = " + angle_label(theta_rad.cell_center(slice)) : "",
                    input.plateau_probability, input.sweet_spot);
  for (HeatMark& mark : panel.marks) {
    mark.legend =
        mark.kind == HeatMark::Kind::kPoint ? point_text(input) : square_text(input.sweet_spot);
  }
  return panel;
}

}  // namespace

Figure success_map_figure(const FigureInput& input) {
  const std::vector<int> slices = shown_slices(input);
  HeatPanelsInput figure;
  figure.name = "success_map";
  figure.title = input.title;
  figure.subtitle = map_subtitle(input.map);
  if (std::ssize(slices) < input.map.theta_rad.cells) {
    figure.subtitle += fmt::format(", {} of them shown", slices.size());
  }
  figure.colours = {HeatScale::kProbability, "success probability p", {}};
  for (const int slice : slices) figure.panels.push_back(panel_of_slice(input, slice));
  figure.nan_label = "no counted trials";
  figure.outline_label = fmt::format("plateau: p ≥ {:.4g}", input.plateau_probability);
  return heat_panels_figure(figure);
}

}  // namespace graspmap
