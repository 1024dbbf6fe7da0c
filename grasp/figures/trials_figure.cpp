#include <fmt/format.h>

#include <algorithm>

#include "grasp/figures/figure.hpp"
#include "grasp/figures/heat_panels.hpp"
#include "grasp/figures/script_parts.hpp"

namespace graspmap {
namespace {

std::vector<double> trials_by_cell(const SuccessMap& map) {
  std::vector<double> values;
  for (const CellCounts& cell : map.cells) values.push_back(static_cast<double>(cell.trials()));
  return values;
}

std::vector<HeatMark> sweet_spot_marks(const SweetSpot& spot) {
  if (!spot.found) return {};
  HeatMark point;
  point.x_mm = spot.x_mm;
  point.y_mm = spot.y_mm;
  HeatMark square = point;
  square.kind = HeatMark::Kind::kRectangle;
  square.half_width_mm = square.half_height_mm = spot.half_width_mm;
  point.label = "sweet spot";
  return {square, point};
}

}  // namespace

std::optional<Figure> trials_figure(const FigureInput& input) {
  const std::vector<double> trials = trials_by_cell(input.map);
  if (trials.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(trials.begin(), trials.end());
  if (*most - *least <= 1) return std::nullopt;
  HeatPanelsInput figure;
  figure.name = "trials";
  figure.title = input.title;
  figure.subtitle = fmt::format(
      "where {} trials went: {} to {} in a cell", grouped(input.map.total().trials()),
      grouped(static_cast<std::int64_t>(*least)), grouped(static_cast<std::int64_t>(*most)));
  figure.colours = {HeatScale::kFromZero, "trials in the cell", std::nullopt};
  figure.panels.push_back({"", input.map.x_mm, input.map.y_mm, trials,
                           sweet_spot_marks(input.sweet_spot), std::nullopt, std::nullopt});
  return heat_panels_figure(figure);
}

}  // namespace graspmap
