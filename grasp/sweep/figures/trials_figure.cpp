#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/pictures/script_parts.hpp"
#include "grasp/sweep/figures/map_panels.hpp"
#include "grasp/sweep/figures/run_figures.hpp"

namespace graspmap {

std::optional<Figure> trials_figure(const FigureInput& input) {
  HeatPanel panel = slice_panel(input.map, 0, "", [&](std::size_t cell) {
    return static_cast<double>(input.map.cells[cell].trials());
  });
  if (panel.values.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(panel.values.begin(), panel.values.end());
  if (*most - *least <= 1) return std::nullopt;
  panel.marks = sweet_spot_marks(input.sweet_spot);
  HeatPanelsInput figure;
  figure.name = "trials";
  figure.title = input.title;
  figure.subtitle = fmt::format(
      "where {} trials went: {} to {} in a cell", grouped(input.map.total().trials()),
      grouped(static_cast<std::int64_t>(*least)), grouped(static_cast<std::int64_t>(*most)));
  figure.colours = {HeatScale::kFromZero, "trials in the cell", std::nullopt};
  figure.panels.push_back(std::move(panel));
  return heat_panels_figure(figure);
}

}  // namespace graspmap
